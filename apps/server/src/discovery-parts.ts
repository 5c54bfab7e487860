import type { RuntimeOptions } from '@surehand/core'
import { miniSearchIndex } from '@surehand/discovery'
import { foreignSchemas } from '@surehand/json-schema'

/** What searching for tools and answering questions take, and a call does not. */
export function discoveryParts(): Pick<RuntimeOptions, 'textIndex' | 'schemas'> {
  // a pattern it can't run in bounded time is left to the run itself
  return { textIndex: miniSearchIndex(), schemas: foreignSchemas({ onLoss: () => undefined }) }
}
