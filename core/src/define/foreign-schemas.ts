import type { JsonSchema } from './json-schema.ts'
import type { Schema } from './schema.ts'

/** Makes a schema out of a JSON Schema that somebody else wrote; refuses what could not be checked in bounded time. */
export type ForeignSchemas = {
  readonly compile: (
    schema: JsonSchema,
    options?: { readonly omitFromHash?: ReadonlySet<string> },
  ) => Schema
}
