import { countTokens } from '@surehand/core/host'
import type { GraphqlOperation } from './operation/operation.ts'

/** What all these tools cost in a model's context, in tokens, as an estimate. */
export function catalogueTokens(operations: readonly GraphqlOperation[]): number {
  return operations.reduce(
    (sum, { id, description, input }) =>
      sum + countTokens(JSON.stringify({ id, description, input })),
    0,
  )
}
