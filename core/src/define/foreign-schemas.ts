import type { JsonSchema } from './json-schema.ts'
import type { Schema } from './schema.ts'

/** Compiles an imported JSON Schema; refuses one that could not be checked in bounded time. */
export type ForeignSchemas = {
  readonly compile: (
    schema: JsonSchema,
    options?: { readonly omitFromHash?: ReadonlySet<string> },
  ) => Schema
}
