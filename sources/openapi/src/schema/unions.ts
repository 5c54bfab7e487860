import type { JsonSchema } from '@surehand/core/internal'
import { isVisible } from '../document/clip-text.ts'
import { type Fields, ownRecord, ownText } from '../document/record.ts'

type Schema = JsonSchema | boolean

/**
 * Restricts each branch of a union to its own discriminator values, so that no value matches two
 * branches.
 */
export function restrictBranches(
  branches: readonly Schema[],
  sources: readonly unknown[],
  discriminator: Fields,
): readonly Schema[] {
  const field = ownText(discriminator, 'propertyName')
  if (field === undefined || field === '__proto__' || !isVisible(field)) return branches
  const mapping = Object.entries(ownRecord(discriminator, 'mapping') ?? {})
  const names = sources.map((source) => namesOf(ownText(source, '$ref'), mapping))
  // An inline branch has no name. Then the branches stay as they are.
  if (names.some((own) => own.length === 0)) return branches
  return branches.map((branch, index) => ({
    allOf: [branch, { properties: { [field]: { enum: names[index] } }, required: [field] }],
  }))
}

function namesOf(
  reference: string | undefined,
  mapping: readonly (readonly [string, unknown])[],
): readonly string[] {
  if (reference === undefined) return []
  const plain = reference.split('/').at(-1) ?? ''
  const mapped = mapping
    .filter(([name, target]) => isVisible(name) && (target === reference || target === plain))
    .map(([name]) => name)
  return mapped.length > 0 ? mapped.toSorted() : [plain]
}

// With these keywords, adding "null" to `type` is not enough to accept null.
const OTHERS = ['$ref', 'allOf', 'anyOf', 'oneOf', 'not', 'const', 'if']

/** The same schema, accepting null too. */
export function withNull(schema: JsonSchema): JsonSchema {
  if (OTHERS.some((keyword) => Object.hasOwn(schema, keyword))) return wrapWithNull(schema)
  const { type, enum: values } = schema
  const widerEnum =
    Array.isArray(values) && !values.includes(null) ? { enum: [...values, null] } : {}
  if (type === undefined) return Array.isArray(values) ? { ...schema, ...widerEnum } : schema
  const types = Array.isArray(type) ? type : [type]
  return { ...schema, type: types.includes('null') ? type : [...types, 'null'], ...widerEnum }
}

function wrapWithNull({ description, ...schema }: JsonSchema): JsonSchema {
  return {
    ...(description === undefined ? {} : { description }),
    anyOf: [schema, { type: 'null' }],
  }
}
