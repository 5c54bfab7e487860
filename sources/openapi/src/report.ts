import { countTokens } from '@surehand/core/host'
import type { Operation } from './operation/operation.ts'
import { usablePlan } from './operation/usable-plan.ts'
import type { SchemaLoss } from './schema/unit.ts'

/** What became of a document: every operation is a tool, or stands here with its reason. */
export type ImportReport = {
  readonly document: {
    readonly title: string
    readonly version: string
    readonly openapi: '3.0' | '3.1'
    readonly operations: number
    readonly servers: readonly string[]
    readonly notes: readonly string[]
  }
  readonly taken: number
  readonly leftOut: readonly {
    readonly key: string
    readonly operationId: string | null
    readonly reason: string
  }[]
  /** Tools that are not called what the document calls them. */
  readonly renamed: readonly { readonly toolId: string; readonly operationId: string }[]
  readonly losses: readonly ({ readonly toolId: string } & SchemaLoss)[]
  /** Parameters that are not the model's to fill. */
  readonly dropped: readonly {
    readonly toolId: string
    readonly parameter: string
    readonly reason: string
  }[]
  readonly paging: readonly { readonly toolId: string; readonly arguments: readonly string[] }[]
  /** Names on the importer's lists that no operation has. */
  readonly unmatched: readonly string[]
  /** About as many bytes as the input schemas have. */
  readonly inputBytes: number
}

/** What the tools cost a model that is shown all of them, in tokens, as an estimate. Counted when asked: it takes longer than the reading. */
export function catalogueTokens(operations: readonly Operation[]): number {
  return operations
    .filter((one) => usablePlan(one) !== undefined)
    .reduce((sum, one) => sum + operationTokens(one), 0)
}

export function operationTokens({ toolId, description, plan }: Operation): number {
  return countTokens(JSON.stringify({ name: toolId, description, parameters: plan.input }))
}
