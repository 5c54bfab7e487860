import { isRecord, type JsonSchema } from '@surehand/core/internal'
import { coinduction } from './schema-coinduction.ts'
import type { SchemaDocument } from './schema-document.ts'
import {
  assertions,
  isReadable,
  isSource,
  jsonText,
  mapOf,
  member,
  type Source,
  sourcesOf,
} from './schema-keywords.ts'

/**
 * Whether schemas of two documents say the same, but for words, order and where their definitions
 * stand.
 */
export type Sameness = {
  readonly schemas: (left: Source, right: Source) => boolean
  readonly keywords: (left: JsonSchema, right: JsonSchema, keywords: readonly string[]) => boolean
}

const ONE = new Set([
  'additionalProperties',
  'contains',
  'else',
  'if',
  'items',
  'not',
  'propertyNames',
  'then',
  'unevaluatedItems',
  'unevaluatedProperties',
])
const BY_NAME = new Set(['dependentSchemas', 'patternProperties', 'properties'])
const IN_ANY_ORDER = new Set(['allOf', 'anyOf', 'oneOf'])
const SETS = new Set(['enum', 'required', 'type'])

/** Compares schemas of two documents through their references. */
export function sameness(leftDocument: SchemaDocument, rightDocument: SchemaDocument): Sameness {
  const { prove } = coinduction<boolean>({
    assumed: true,
    circular: true,
    holds: (isSame) => isSame,
  })

  function schemas(left: Source, right: Source): boolean {
    const one = followRef(leftDocument, left)
    const other = followRef(rightDocument, right)
    if (!isRecord(one) || !isRecord(other)) return one === other
    leftDocument.budget.spend()
    return prove(`${leftDocument.id(one)},${rightDocument.id(other)}`, 0, () =>
      leftDocument.budget.nested(() =>
        keywords(one, other, [...new Set([...assertions(one), ...assertions(other)])]),
      ),
    )
  }

  function keywords(left: JsonSchema, right: JsonSchema, names: readonly string[]): boolean {
    return names.every((name) => keyword(name, left, right))
  }

  function keyword(name: string, left: JsonSchema, right: JsonSchema): boolean {
    const one = member(left, name)
    const other = member(right, name)
    if (one === undefined || other === undefined) return one === other
    if (name === '$ref') return references(String(one), String(other))
    if (!isReadable({ [name]: one }) || !isReadable({ [name]: other })) return false
    if (ONE.has(name) && isSource(one) && isSource(other)) return schemas(one, other)
    if (name === 'prefixItems') return inOrder(sourcesOf(left, name), sourcesOf(right, name))
    if (IN_ANY_ORDER.has(name)) return inAnyOrder(sourcesOf(left, name), sourcesOf(right, name))
    if (BY_NAME.has(name) && isMap(one) && isMap(other))
      return byName(mapOf(left, name), mapOf(right, name))
    if (SETS.has(name)) return setText(one) === setText(other)
    return jsonText(one) === jsonText(other) && !mayRefer(one)
  }

  function references(left: string, right: string): boolean {
    const one = leftDocument.target(left)
    const other = rightDocument.target(right)
    if (one !== undefined && other !== undefined) return schemas(one, other)
    // a document elsewhere is the same by its address, and an address may be relative to this one's
    const sameBase = baseOf(leftDocument) === baseOf(rightDocument)
    return one === other && left === right && !left.startsWith('#') && sameBase
  }

  function inOrder(left: readonly Source[], right: readonly Source[]): boolean {
    return (
      left.length === right.length &&
      left.every((one, index) => schemas(one, right[index] as Source))
    )
  }

  function inAnyOrder(left: readonly Source[], right: readonly Source[]): boolean {
    const free = [...right]
    return (
      left.length === right.length &&
      left.every((one) => {
        const index = free.findIndex((other) => schemas(one, other))
        if (index >= 0) free.splice(index, 1)
        return index >= 0
      })
    )
  }

  function byName(
    left: Readonly<Record<string, Source>>,
    right: Readonly<Record<string, Source>>,
  ): boolean {
    const names = Object.keys(left)
    if (names.length !== Object.keys(right).length) return false
    return names.every(
      (name) => Object.hasOwn(right, name) && schemas(left[name] as Source, right[name] as Source),
    )
  }

  return { schemas, keywords }
}

// a schema that is nothing but a reference is what it refers to
function followRef(document: SchemaDocument, source: Source): Source {
  const seen = new Set<Source>()
  let current = source
  while (isRecord(current) && !seen.has(current)) {
    seen.add(current)
    const names = assertions(current)
    if (names.length === 0) return true
    const reference = member(current, '$ref')
    const target =
      names.length === 1 && typeof reference === 'string' ? document.target(reference) : undefined
    if (target === undefined) return current
    current = target
  }
  return current
}

function isMap(value: unknown): boolean {
  return isRecord(value) && Object.values(value).every(isSource)
}

function setText(value: unknown): string {
  const members = Array.isArray(value) ? value : [value]
  return jsonText([...new Set(members.map(jsonText))].sort())
}

// an unknown keyword may hold schemas, and what those refer to may have changed
function mayRefer(value: unknown): boolean {
  return /"\$(?:ref|dynamicRef|recursiveRef)"/.test(jsonText(value))
}

function baseOf(document: SchemaDocument): unknown {
  return isRecord(document.root) ? member(document.root, '$id') : undefined
}
