import type { JsonSchema } from '@surehand/core/internal'

/** The same, or null: to a GraphQL server null is a value of its own, often "take it away". */
export function nullable(schema: JsonSchema): JsonSchema {
  if (typeof schema.type === 'string') {
    const values = schema.enum
    return {
      ...schema,
      type: [schema.type, 'null'],
      ...(Array.isArray(values) ? { enum: [...values, null] } : {}),
    }
  }
  if (Array.isArray(schema.anyOf)) return { ...schema, anyOf: [...schema.anyOf, { type: 'null' }] }
  return '$ref' in schema ? { anyOf: [schema, { type: 'null' }] } : schema
}
