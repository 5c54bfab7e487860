import type { JsonSchema } from '@surehand/core/internal'
import { matchesSchema } from './matches-schema.ts'

/** Is null a value of this schema? Then null from a model is meant. */
export function takesNull(schema: unknown, root: JsonSchema): boolean {
  return matchesSchema(schema, null, root)
}
