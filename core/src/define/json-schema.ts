import { z } from 'zod'

/** A JSON Schema 2020-12 document, as plain JSON. */
export type JsonSchema = { readonly [key: string]: unknown }

export interface JsonSchemaOptions {
  readonly title?: string
  readonly description?: string
  readonly examples?: readonly unknown[]
  /** `input` is what a caller may send, `output` what is left after parsing. */
  readonly io?: 'input' | 'output'
}

/**
 * A zod schema as JSON Schema 2020-12; the options win over the schema's own title, description and
 * examples.
 */
export function toJsonSchema(schema: z.ZodType, options: JsonSchemaOptions = {}): JsonSchema {
  const { io = 'input', ...annotations } = options
  const { $schema, title, description, examples, ...keywords } = z.toJSONSchema(schema, {
    target: 'draft-2020-12',
    io,
  })
  return withoutUndefined({ $schema, title, description, examples, ...annotations, ...keywords })
}

function withoutUndefined(record: JsonSchema): JsonSchema {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined))
}
