import { isRecord, type JsonSchema } from '@surehand/core/internal'

/** A schema as it stands in a document. */
export type Source = JsonSchema | boolean

/**
 * What a value is; `number` is split, so that widening integer to number is one more kind of value.
 */
export type Atom = 'null' | 'boolean' | 'integer' | 'fraction' | 'string' | 'array' | 'object'

export const ATOMS: readonly Atom[] = [
  'null',
  'boolean',
  'integer',
  'fraction',
  'string',
  'array',
  'object',
]

const TYPES: ReadonlyMap<unknown, readonly Atom[]> = new Map<unknown, readonly Atom[]>([
  ['null', ['null']],
  ['boolean', ['boolean']],
  ['integer', ['integer']],
  ['number', ['integer', 'fraction']],
  ['string', ['string']],
  ['array', ['array']],
  ['object', ['object']],
])

/** Words for people: a change of these is a patch. */
export const WORDS: ReadonlySet<string> = new Set(['title', 'description', 'examples', '$comment'])

/** What is meant, though nothing else is accepted or produced: a change of these is minor. */
export const MEANINGS: ReadonlySet<string> = new Set([
  'default',
  'deprecated',
  'readOnly',
  'writeOnly',
])

const SILENT = new Set([
  '$schema',
  '$id',
  'id',
  '$anchor',
  '$dynamicAnchor',
  '$vocabulary',
  '$defs',
  'definitions',
])

type Check = (value: unknown) => boolean

const isNumber: Check = (value) => typeof value === 'number' && Number.isFinite(value)
const isCount: Check = (value) => Number.isInteger(value) && (value as number) >= 0
const isText: Check = (value) => typeof value === 'string'
const isSourceList: Check = (value) =>
  Array.isArray(value) && value.length > 0 && value.every(isSource)
const isSourceMap: Check = (value) => isRecord(value) && Object.values(value).every(isSource)

const UNDERSTOOD: ReadonlyMap<string, Check> = new Map<string, Check>([
  ['$ref', isText],
  // what these lead to depends on who refers to whom: never read
  ['$dynamicRef', () => false],
  ['$recursiveRef', () => false],
  ['type', (value) => (Array.isArray(value) ? value : [value]).every((type) => TYPES.has(type))],
  ['enum', Array.isArray],
  ['const', () => true],
  ['minimum', isNumber],
  ['maximum', isNumber],
  ['exclusiveMinimum', isNumber],
  ['exclusiveMaximum', isNumber],
  ['multipleOf', (value) => isNumber(value) && (value as number) > 0],
  ['minLength', isCount],
  ['maxLength', isCount],
  ['pattern', isText],
  ['format', isText],
  ['minItems', isCount],
  ['maxItems', isCount],
  ['uniqueItems', (value) => typeof value === 'boolean'],
  ['items', isSource],
  ['prefixItems', isSourceList],
  ['minProperties', isCount],
  ['maxProperties', isCount],
  ['required', (value) => Array.isArray(value) && value.every(isText)],
  ['properties', isSourceMap],
  ['patternProperties', isSourceMap],
  ['additionalProperties', isSource],
  ['propertyNames', isSource],
  ['not', isSource],
  ['allOf', isSourceList],
  ['anyOf', isSourceList],
  ['oneOf', isSourceList],
])

export function isSource(value: unknown): value is Source {
  return typeof value === 'boolean' || isRecord(value)
}

/** Whether every keyword that is understood has the form it must have. */
export function isReadable(part: JsonSchema): boolean {
  return Object.entries(part).every(([keyword, value]) => UNDERSTOOD.get(keyword)?.(value) ?? true)
}

/** The keywords that say what is valid. */
export function assertions(part: JsonSchema): readonly string[] {
  return Object.keys(part).filter(
    (keyword) => !WORDS.has(keyword) && !MEANINGS.has(keyword) && !SILENT.has(keyword),
  )
}

/** The keywords that can't be reasoned about, only found the same on both sides. */
export function opaqueKeywords(part: JsonSchema): readonly string[] {
  return assertions(part).filter((keyword) => !UNDERSTOOD.has(keyword))
}

// Members of the document itself, never those of Object.prototype. The casts hold for readable
// parts, the only ones that are asked.
export function member(part: JsonSchema, keyword: string): unknown {
  return Object.hasOwn(part, keyword) ? part[keyword] : undefined
}

export function numberOf(part: JsonSchema, keyword: string): number | undefined {
  return member(part, keyword) as number | undefined
}

export function sourceOf(part: JsonSchema, keyword: string): Source | undefined {
  return member(part, keyword) as Source | undefined
}

/** The schema under a keyword, as a list of one or none. */
export function sourceIn(part: JsonSchema, keyword: string): readonly Source[] {
  const source = sourceOf(part, keyword)
  return source === undefined ? [] : [source]
}

export function sourcesOf(part: JsonSchema, keyword: string): readonly Source[] {
  return (member(part, keyword) as readonly Source[] | undefined) ?? []
}

export function mapOf(part: JsonSchema, keyword: string): Readonly<Record<string, Source>> {
  return (member(part, keyword) as Readonly<Record<string, Source>> | undefined) ?? {}
}

export function namesOf(part: JsonSchema, keyword: string): readonly string[] {
  return (member(part, keyword) as readonly string[] | undefined) ?? []
}

/** The values an `enum` or a `const` leaves, if there is one. */
export function listedValues(part: JsonSchema): readonly unknown[] | undefined {
  return Object.hasOwn(part, 'const')
    ? [part.const]
    : (member(part, 'enum') as readonly unknown[] | undefined)
}

/** The kinds of values `type` leaves, if it is there. */
export function typedAtoms(part: JsonSchema): ReadonlySet<Atom> | undefined {
  const type = member(part, 'type')
  if (type === undefined) return undefined
  return new Set((Array.isArray(type) ? type : [type]).flatMap((name) => TYPES.get(name) ?? []))
}

export function atomOf(value: unknown): Atom {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  switch (typeof value) {
    case 'boolean':
      return 'boolean'
    case 'string':
      return 'string'
    case 'number':
      return Number.isInteger(value) ? 'integer' : 'fraction'
    default:
      return 'object'
  }
}

/** One text for equal JSON values, whatever the order of their keys. */
export function jsonText(value: unknown): string {
  return (typeof value === 'object' ? JSON.stringify(value, sortKeys) : JSON.stringify(value)) ?? ''
}

function sortKeys(_key: string, value: unknown): unknown {
  return isRecord(value) ? Object.fromEntries(Object.entries(value).sort(byName)) : value
}

function byName([left]: readonly [string, unknown], [right]: readonly [string, unknown]): number {
  return left < right ? -1 : 1
}
