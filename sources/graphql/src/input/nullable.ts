import type { JsonSchema } from '@surehand/core/internal'

/**
 * Adds null to a schema. To a GraphQL server null differs from "not given": it often clears a
 * value.
 */
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
