import type { RuntimeOptions } from '@surehand/core'
import { localEmbeddings, toolIndex } from '@surehand/discovery'
import { foreignSchemas } from '@surehand/json-schema'

/**
 * What tool search and answers to questions need, and a plain call does not. Searches among hundreds
 * of tools rank by meaning as well where the model of @surehand/discovery is installed.
 */
export function discoveryParts(): Pick<RuntimeOptions, 'textIndex' | 'schemas'> {
  // A pattern that cannot be run in bounded time is left to the run's own check.
  const textIndex = toolIndex({ embeddings: localEmbeddings() })
  return { textIndex, schemas: foreignSchemas({ onLoss: () => undefined }) }
}
