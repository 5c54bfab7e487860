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

const NONE: ReadonlySet<string> = new Set()

/**
 * The fields that take base64 (`contentEncoding` in their meta): in process they may be handed in
 * as bytes.
 */
export function bytesFields(input: z.ZodType): ReadonlySet<string> {
  if (!(input instanceof z.ZodObject)) return NONE
  const names = Object.entries<z.ZodType>(input.shape).flatMap(([name, field]) =>
    isBase64(field) ? [name] : [],
  )
  return names.length === 0 ? NONE : new Set(names)
}

function isBase64(field: z.ZodType): boolean {
  if (field.meta()?.contentEncoding === 'base64') return true
  return field instanceof z.ZodOptional ||
    field instanceof z.ZodDefault ||
    field instanceof z.ZodNullable
    ? isBase64(field.unwrap() as z.ZodType)
    : false
}
