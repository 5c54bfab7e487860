import { FORMATS } from './formats.ts'
import type { SchemaNode } from './node.ts'

const NAMED = 8
const CUT = 80

const NOUNS: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  integer: 'an integer',
  boolean: 'true or false',
  null: 'null',
  array: 'an array',
  object: 'an object',
}

/** The types that a subschema accepts. */
export function typeNames(node: SchemaNode): readonly string[] {
  const type = node.keyword('type')
  return Array.isArray(type) ? type.map(String) : typeof type === 'string' ? [type] : []
}

/** Describes what a subschema expects, for messages. */
export function describeExpected(node: SchemaNode, depth = 0): string {
  const constant = node.keyword('const')
  if (constant !== undefined) return valueList([constant])
  const values = node.keyword('enum')
  if (Array.isArray(values)) return valueList(values)
  const types = typeNames(node)
  if (types.length > 0) return orList(types.map((type) => describeType(type, node)))
  return depth > 2 ? 'a value' : fromBranches(node, depth)
}

function fromBranches(node: SchemaNode, depth: number): string {
  const { targets, allOf, anyOf, oneOf } = node.parts
  const [whole] = [...targets, ...allOf]
    .map((inner) => describeExpected(inner, depth + 1))
    .filter((words) => words !== 'a value')
  if (whole !== undefined) return whole
  const branches = [...anyOf, ...oneOf]
  if (branches.length === 0) return 'a value'
  return orList([
    ...new Set(branches.slice(0, NAMED + 1).map((inner) => describeExpected(inner, depth + 1))),
  ])
}

function describeType(type: string, node: SchemaNode): string {
  const noun = NOUNS[type] ?? type
  if (type === 'string')
    return (
      formatWords(node) ?? `${noun}${describeRange(node, 'minLength', 'maxLength', ' characters')}`
    )
  if (type === 'number' || type === 'integer') return `${noun}${describeNumberRange(node)}`
  if (type === 'array') return `${noun}${describeRange(node, 'minItems', 'maxItems', ' items')}`
  return noun
}

function formatWords(node: SchemaNode): string | undefined {
  const format = node.keyword('format')
  return typeof format === 'string' ? FORMATS.get(format)?.what : undefined
}

function describeRange(node: SchemaNode, least: string, most: string, unit: string): string {
  const [low, high] = [node.keyword(least), node.keyword(most)]
  if (typeof low === 'number' && typeof high === 'number') return ` of ${low} to ${high}${unit}`
  if (typeof low === 'number' && low > 0) return ` of at least ${low}${unit}`
  return typeof high === 'number' ? ` of at most ${high}${unit}` : ''
}

function describeNumberRange(node: SchemaNode): string {
  const [low, high] = [node.keyword('minimum'), node.keyword('maximum')]
  if (typeof low === 'number' && typeof high === 'number') return ` from ${low} to ${high}`
  if (typeof low === 'number') return ` of at least ${low}`
  return typeof high === 'number' ? ` of at most ${high}` : ''
}

/** `"a"`, or `one of "a", "b"`; long lists and long values are cut. */
export function valueList(values: readonly unknown[]): string {
  const shown = values.slice(0, NAMED).map(shortText)
  if (values.length === 1) return shown[0] ?? ''
  const more = values.length - shown.length
  return `one of ${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}

// Objects are not written out: they may be large, and the text is repeated in every fault.
function shortText(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(clip(value))
  if (Array.isArray(value)) return 'a certain array'
  return typeof value === 'object' && value !== null ? 'a certain object' : String(value)
}

/** Clips an untrusted text. */
export function clip(text: string, length = CUT): string {
  return text.length > length ? `${text.slice(0, length)}…` : text
}

function orList(words: readonly string[]): string {
  if (words.length <= 1) return words[0] ?? 'a value'
  return `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`
}
