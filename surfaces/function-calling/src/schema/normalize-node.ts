import { isRecord, type JsonSchema } from '@surehand/core/internal'
import { sameJson } from './json-value.ts'
import { mergeSchemas, NEVER } from './merge-schemas.ts'
import { resolveReference } from './resolve-reference.ts'

const ANNOTATIONS = new Set(['title', 'description', 'default', 'examples', 'deprecated'])
// Keywords that do not restrict the input of a model.
const IGNORED_KEYWORDS = new Set([
  '$schema',
  '$id',
  '$comment',
  '$anchor',
  '$defs',
  'definitions',
  'readOnly',
  'writeOnly',
  'contentEncoding',
  'contentMediaType',
  'contentSchema',
])
const OF_OBJECTS = [
  'properties',
  'required',
  'additionalProperties',
  'propertyNames',
  'patternProperties',
  'minProperties',
  'maxProperties',
]
const OF_LISTS = ['items', 'prefixItems', 'minItems', 'maxItems', 'uniqueItems', 'contains']
const OF_STRINGS = ['pattern', 'format', 'minLength', 'maxLength']
const OF_NUMBERS = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf']
const OF_KIND: Readonly<Record<string, readonly string[]>> = {
  object: OF_OBJECTS,
  array: OF_LISTS,
  string: OF_STRINGS,
  number: OF_NUMBERS,
  integer: OF_NUMBERS,
}
const OF_SOME_KIND = new Set(Object.values(OF_KIND).flat())

/**
 * Normalizes a node to one of four forms: a `$ref` with annotations, a union (`anyOf` with
 * annotations), one type with its own keywords, or only annotations (any value). Keywords that
 * could not be merged stay in `allOf`.
 */
export function normalizeNode(raw: unknown, root: JsonSchema): JsonSchema {
  if (raw === true || raw === undefined) return {}
  if (!isRecord(raw)) return NEVER
  const relevant = Object.fromEntries(
    Object.entries(raw).filter(([keyword]) => !IGNORED_KEYWORDS.has(keyword)),
  )
  const { oneOf, ...rest } = relevant
  const node = Array.isArray(oneOf) ? mergeSchemas(rest, { anyOf: oneOf }) : rest
  if (isBareReference(node)) return node
  const merged = mergeAll(node, root)
  if (sameJson(merged.not, {}) || merged.not === true) return NEVER
  return Array.isArray(merged.anyOf) ? unionNode(merged, merged.anyOf, root) : typedNode(merged)
}

function isBareReference(node: JsonSchema): boolean {
  return (
    typeof node.$ref === 'string' &&
    Object.keys(node).every((keyword) => keyword === '$ref' || ANNOTATIONS.has(keyword))
  )
}

// Merges a reference with the keywords beside it, and the parts of an `allOf`, into one schema.
function mergeAll(node: JsonSchema, root: JsonSchema, open: readonly string[] = []): JsonSchema {
  const { $ref: reference, allOf, ...own } = node
  const followed = typeof reference === 'string' ? [...open, reference] : open
  const target =
    typeof reference === 'string' && !open.includes(reference) ? [resolveNode(reference, root)] : []
  const parts = [...target, ...(Array.isArray(allOf) ? allOf : [])]
  return parts.reduce<JsonSchema>(
    (merged, part) => mergeSchemas(merged, flattenPart(part, root, followed)),
    own,
  )
}

// A reference that is already being followed adds nothing and is skipped by `mergeAll`.
function flattenPart(part: unknown, root: JsonSchema, open: readonly string[] = []): JsonSchema {
  if (part === true) return {}
  if (!isRecord(part)) return NEVER
  const { oneOf, $defs: _, $schema: __, ...rest } = part
  const node = Array.isArray(oneOf) ? mergeSchemas(rest, { anyOf: oneOf }) : rest
  return '$ref' in node || 'allOf' in node ? mergeAll(node, root, open) : node
}

function resolveNode(reference: string, root: JsonSchema): unknown {
  // A missing target restricts nothing.
  return resolveReference(root, reference) ?? true
}

function unionNode(node: JsonSchema, branches: readonly unknown[], root: JsonSchema): JsonSchema {
  const { anyOf: _, ...own } = node
  const annotations = Object.fromEntries(
    Object.entries(own).filter(([keyword]) => ANNOTATIONS.has(keyword)),
  )
  const shared = Object.fromEntries(
    Object.entries(own).filter(([keyword]) => !ANNOTATIONS.has(keyword)),
  )
  const whole =
    Object.keys(shared).length === 0
      ? branches
      : branches.map((branch) => mergeSchemas(shared, flattenPart(branch, root)))
  const possible = whole.filter((branch) => branch !== false && !sameJson(branch, NEVER))
  return possible.length === 0 ? NEVER : { ...annotations, anyOf: possible }
}

function typedNode(node: JsonSchema): JsonSchema {
  const types = [node.type ?? inferType(node)].flat()
  if (types.length === 1)
    return types[0] === undefined ? node : restrictToType(node, String(types[0]))
  const annotations = Object.fromEntries(
    Object.entries(node).filter(([keyword]) => ANNOTATIONS.has(keyword)),
  )
  const own = Object.fromEntries(
    Object.entries(node).filter(([keyword]) => !ANNOTATIONS.has(keyword)),
  )
  return { ...annotations, anyOf: types.map((type) => restrictToType(own, String(type))) }
}

// Removes the keywords of other types: those for strings do not apply to numbers.
function restrictToType(node: JsonSchema, type: string): JsonSchema {
  const mine = OF_KIND[type] ?? []
  const kept = Object.entries(node).filter(
    ([keyword]) => !OF_SOME_KIND.has(keyword) || mine.includes(keyword),
  )
  return { ...Object.fromEntries(kept), type }
}

// A schema with `properties` and no type is treated as an object, and so on for the other types.
function inferType(node: JsonSchema): string | undefined {
  if ('enum' in node || 'const' in node) return undefined
  const kind = ['object', 'array', 'string', 'number'].find((name) =>
    OF_KIND[name]?.some((keyword) => keyword in node),
  )
  return kind
}
