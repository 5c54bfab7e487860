import { isRecord, type JsonSchema } from '@surehand/core/internal'
import { setOwn } from '../document/record.ts'

export type Schema = JsonSchema | boolean

const ONE = new Set([
  'items',
  'contains',
  'additionalProperties',
  'unevaluatedProperties',
  'unevaluatedItems',
  'propertyNames',
  'not',
  'if',
  'then',
  'else',
])
const LISTS = new Set(['allOf', 'anyOf', 'oneOf', 'prefixItems'])
const MAPS = new Set(['properties', 'patternProperties', 'dependentSchemas'])

/** Whether a keyword contains schemas. */
export function isHolder(keyword: string): boolean {
  return ONE.has(keyword) || LISTS.has(keyword) || MAPS.has(keyword)
}

/** Visits the direct subschemas; those of fields with the field's name. */
export function eachSubschema(
  schema: JsonSchema,
  visit: (inner: Schema, name: string) => void,
): void {
  for (const keyword of Object.keys(schema)) {
    const value = schema[keyword]
    if (ONE.has(keyword)) visit(value as Schema, '')
    else if (LISTS.has(keyword) && Array.isArray(value)) for (const one of value) visit(one, '')
    else if (MAPS.has(keyword) && isRecord(value))
      for (const name of Object.keys(value)) visit(value[name] as Schema, name)
  }
}

/**
 * Maps each direct subschema. Only known keywords are followed, because a field may have the name
 * of a keyword.
 */
export function mapSubschemas(schema: JsonSchema, change: (inner: Schema) => Schema): JsonSchema {
  const out: Record<string, unknown> = {}
  for (const keyword of Object.keys(schema))
    out[keyword] = changeKeyword(keyword, schema[keyword], change)
  return out
}

function changeKeyword(
  keyword: string,
  value: unknown,
  change: (inner: Schema) => Schema,
): unknown {
  if (ONE.has(keyword)) return change(value as Schema)
  if (LISTS.has(keyword) && Array.isArray(value)) return value.map((one) => change(one))
  if (!MAPS.has(keyword) || !isRecord(value)) return value
  const out: Record<string, unknown> = {}
  for (const name of Object.keys(value)) setOwn(out, name, change(value[name] as Schema))
  return out
}
