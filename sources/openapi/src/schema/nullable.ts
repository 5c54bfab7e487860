import type { JsonSchema } from '@surehand/core/internal'

// what else of a schema would still refuse null
const OTHERS = ['$ref', 'allOf', 'anyOf', 'oneOf', 'not', 'const', 'if']

/** The same schema, taking null too. */
export function withNull(schema: JsonSchema): JsonSchema {
  if (OTHERS.some((keyword) => Object.hasOwn(schema, keyword))) return around(schema)
  const { type, enum: values } = schema
  const widerEnum =
    Array.isArray(values) && !values.includes(null) ? { enum: [...values, null] } : {}
  if (type === undefined) return Array.isArray(values) ? { ...schema, ...widerEnum } : schema
  const types = Array.isArray(type) ? type : [type]
  return { ...schema, type: types.includes('null') ? type : [...types, 'null'], ...widerEnum }
}

function around({ description, ...schema }: JsonSchema): JsonSchema {
  return {
    ...(description === undefined ? {} : { description }),
    anyOf: [schema, { type: 'null' }],
  }
}
