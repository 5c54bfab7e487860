import { z } from 'zod'

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
