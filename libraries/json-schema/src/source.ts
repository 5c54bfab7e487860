import { isRecord, type JsonSchema } from '@surehand/core/internal'

/** A schema as it is in the document. */
export type Source = JsonSchema | boolean

/** Keywords with one subschema. */
export const SCHEMA_KEYWORDS = [
  'additionalItems',
  'additionalProperties',
  'contains',
  'else',
  'if',
  'not',
  'propertyNames',
  'then',
  'unevaluatedItems',
  'unevaluatedProperties',
]

/** Keywords that hold a list of subschemas. */
export const LIST_KEYWORDS = ['allOf', 'anyOf', 'oneOf', 'prefixItems']

/** Keywords that hold subschemas by name. */
export const MAP_KEYWORDS = [
  '$defs',
  'definitions',
  'dependentSchemas',
  'patternProperties',
  'properties',
]

const HOLDERS = new Set([
  ...SCHEMA_KEYWORDS,
  ...LIST_KEYWORDS,
  ...MAP_KEYWORDS,
  'items',
  'dependencies',
])

/** Whether a keyword contains subschemas. */
export function isHolder(keyword: string): boolean {
  return HOLDERS.has(keyword)
}

/** Whether a subschema contains further ones; most do not. */
export function hasSubschemas(source: Source): boolean {
  return typeof source === 'object' && Object.keys(source).some(isHolder)
}

/** What a value may be, as JSON Schema names it. */
export const TYPES: ReadonlySet<unknown> = new Set([
  'string',
  'number',
  'integer',
  'boolean',
  'null',
  'array',
  'object',
])

export function isSource(value: unknown): value is Source {
  return typeof value === 'boolean' || isRecord(value)
}

/** A member of the schema itself, never one of Object.prototype. */
export function member(source: Source, keyword: string): unknown {
  return typeof source === 'object' && Object.hasOwn(source, keyword) ? source[keyword] : undefined
}

/** The subschema under a keyword that holds one. */
export function singleSubschema(source: Source, keyword: string): Source | undefined {
  const value = member(source, keyword)
  return isSource(value) ? value : undefined
}

/** The subschemas under a keyword that holds a list. */
export function listSubschemas(source: Source, keyword: string): readonly Source[] {
  const value = member(source, keyword)
  return Array.isArray(value) ? value.filter(isSource) : []
}

/** The subschemas under a keyword that names them. */
export function namedSubschemas(
  source: Source,
  keyword: string,
): readonly (readonly [string, Source])[] {
  const value = member(source, keyword)
  if (!isRecord(value)) return []
  return Object.entries(value).flatMap(([name, inner]) =>
    isSource(inner) ? [[name, inner] as const] : [],
  )
}

export function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : []
}

/** Names that are required if another name is present, in the keywords of both drafts. */
export function dependentNames(source: Source): readonly (readonly [string, readonly string[]])[] {
  return ['dependentRequired', 'dependencies'].flatMap((keyword) => {
    const value = member(source, keyword)
    if (!isRecord(value)) return []
    return Object.entries(value).flatMap(([name, names]) =>
      Array.isArray(names) ? [[name, names.map(String)] as const] : [],
    )
  })
}
