import type { RuntimeOptions } from '@surehand/core'
import { toolIndex } from '@surehand/discovery'
import { foreignSchemas } from '@surehand/json-schema'

/** What tool search and answers to questions need, and a plain call does not. */
export function discoveryParts(): Pick<RuntimeOptions, 'textIndex' | 'schemas'> {
  // A pattern that cannot be run in bounded time is left to the run's own check.
  return { textIndex: toolIndex(), schemas: foreignSchemas({ onLoss: () => undefined }) }
}
