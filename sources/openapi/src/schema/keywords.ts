import { isRecord } from '@surehand/core/internal'
import { isVisible } from '../document/clip-text.ts'
import { LIMITS } from '../document/limits.ts'

const TYPES: ReadonlySet<unknown> = new Set([
  'string',
  'number',
  'integer',
  'boolean',
  'null',
  'array',
  'object',
])

type Check = (value: unknown) => boolean

const isNumber: Check = (value) => typeof value === 'number' && Number.isFinite(value)
const isCount: Check = (value) => Number.isSafeInteger(value) && (value as number) >= 0
const isFlag: Check = (value) => typeof value === 'boolean'
const isShortText: Check = (value) =>
  typeof value === 'string' && value.length <= 100 && isVisible(value)

/** Keywords without subschemas that are kept as they are if their value is valid. */
export const LEAVES: ReadonlyMap<string, Check> = new Map([
  ['format', isShortText],
  ['maximum', isNumber],
  ['minimum', isNumber],
  ['multipleOf', (value) => isNumber(value) && (value as number) > 0],
  ['maxLength', isCount],
  ['minLength', isCount],
  ['maxItems', isCount],
  ['minItems', isCount],
  ['maxProperties', isCount],
  ['minProperties', isCount],
  ['minContains', isCount],
  ['maxContains', isCount],
  ['uniqueItems', isFlag],
  ['deprecated', isFlag],
  ['contentEncoding', isShortText],
  ['contentMediaType', isShortText],
  ['x-sensitive', isFlag],
  [
    'pattern',
    (value) =>
      typeof value === 'string' && value.length <= LIMITS.patternLength && isVisible(value),
  ],
  ['const', (value) => isPlain(value, 4)],
])

/** Keywords that hold one schema for the members of a value. */
export const INNER_SCHEMAS: ReadonlySet<string> = new Set([
  'items',
  'contains',
  'additionalProperties',
  'unevaluatedProperties',
  'unevaluatedItems',
  'propertyNames',
])

/** Keywords that hold one schema for the value itself. */
export const SAME_VALUE_SCHEMAS: ReadonlySet<string> = new Set(['not', 'if', 'then', 'else'])

/** Keywords that hold schemas for the value itself. */
export const SAME_VALUE_LISTS: ReadonlySet<string> = new Set(['allOf', 'anyOf', 'oneOf'])

/** The types of a schema; undefined if none of them exists. */
export function typesOf(value: unknown): string | readonly string[] | undefined {
  if (typeof value === 'string' && value !== 'file') return TYPES.has(value) ? value : undefined
  const given = (Array.isArray(value) ? value : [value]).map((one) =>
    one === 'file' ? 'string' : one,
  )
  if (given.length === 0 || !given.every((one) => TYPES.has(one))) return undefined
  const [only, ...others] = new Set(given)
  return others.length === 0 ? only : [only, ...others]
}

/** Whether a value is plain, visible JSON of at most this depth. */
export function isPlain(value: unknown, depth: number): boolean {
  switch (typeof value) {
    case 'string':
      return isVisible(value)
    case 'number':
      return Number.isFinite(value)
    case 'boolean':
      return true
    default:
      if (value === null) return true
      if (depth === 0 || (!Array.isArray(value) && !isRecord(value))) return false
      return Object.entries(value).every(
        ([name, member]) => name !== '__proto__' && isVisible(name) && isPlain(member, depth - 1),
      )
  }
}

// The validator refuses a whole schema for one name pattern that cannot run in linear time.
export function isNamePattern(text: string): boolean {
  if (text.length > LIMITS.patternLength || !isVisible(text) || /\(\?[=!<]|\\[1-9k]/.test(text))
    return false
  try {
    return new RegExp(text, 'u') instanceof RegExp
  } catch {
    return false
  }
}

type KeywordKind =
  | '$ref'
  | 'type'
  | 'enum'
  | 'required'
  | 'properties'
  | 'inner'
  | 'same value'
  | 'same value list'
  | 'leaf'
  | 'rare'

const RARE = [
  'prefixItems',
  'patternProperties',
  'dependentRequired',
  'dependentSchemas',
  'writeOnly',
  '$dynamicRef',
  '$recursiveRef',
]
/** How each known keyword is read; all others are dropped. */
export const KEYWORDS: ReadonlyMap<string, KeywordKind> = new Map([
  ...(['$ref', 'type', 'enum', 'required', 'properties'] as const).map(
    (keyword) => [keyword, keyword] as const,
  ),
  ...[...INNER_SCHEMAS].map((keyword) => [keyword, 'inner'] as const),
  ...[...SAME_VALUE_SCHEMAS].map((keyword) => [keyword, 'same value'] as const),
  ...[...SAME_VALUE_LISTS].map((keyword) => [keyword, 'same value list'] as const),
  ...[...LEAVES.keys()].map((keyword) => [keyword, 'leaf'] as const),
  ...RARE.map((keyword) => [keyword, 'rare'] as const),
])

/** Whether a field of this name can be offered: it is visible, short, and not `__proto__`. */
export function isUsableName(name: string): boolean {
  return name !== '__proto__' && name.length <= 200 && isVisible(name)
}

/** Whether the value of this keyword holds no schemas. */
export function isLeafValue(keyword: string): boolean {
  return (
    keyword === 'enum' ||
    keyword === 'required' ||
    keyword === 'type' ||
    keyword === 'examples' ||
    LEAVES.has(keyword)
  )
}
