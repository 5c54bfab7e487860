import { isRecord, sha256 } from '@surehand/core/internal'
import { jsonText, type Source } from '@surehand/schema-diff'

/**
 * What is known of a value before there is one: a schema, with the documents its references lead
 * into.
 */
export type StaticType = {
  readonly source: Source
  readonly documents: Readonly<Record<string, Source>>
}

export const ANYTHING: StaticType = { source: true, documents: {} }
export const NOTHING: StaticType = { source: { type: 'null' }, documents: {} }
export const TEXT: StaticType = { source: { type: 'string' }, documents: {} }
export const LIST: StaticType = { source: { type: 'array' }, documents: {} }
export const NUMBER: StaticType = { source: { type: 'number' }, documents: {} }

const NOT_NULL: Source = { type: ['boolean', 'number', 'string', 'array', 'object'] }

/**
 * A document of a tool or of the program. Its references are made to hold wherever a part of it is
 * put.
 */
export function typeOfDocument(document: Source): StaticType {
  const text = jsonText(document)
  if (!text.includes('"$ref"')) return { source: document, documents: {} }
  const name = sha256(text).slice(0, 16)
  const moved = movedTo(`#/$defs/${name}`, document)
  // its own id would make it a document within the one it is put into, in which # means something
  // else
  const source = isRecord(moved)
    ? Object.fromEntries(Object.entries(moved).filter(([keyword]) => keyword !== '$id'))
    : moved
  return { source: source as Source, documents: { [name]: source as Source } }
}

function movedTo(place: string, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => movedTo(place, item))
  if (!isRecord(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => {
      const isPointer =
        name === '$ref' && typeof inner === 'string' && (inner === '#' || inner.startsWith('#/'))
      return [name, isPointer ? place + inner.slice(1) : movedTo(place, inner)]
    }),
  )
}

/** One schema that says it all. */
export function documentOf({ source, documents }: StaticType): Source {
  return Object.keys(documents).length === 0 ? source : { allOf: [source], $defs: documents }
}

export function constant(value: unknown): StaticType {
  return { source: { const: value }, documents: {} }
}

export function eitherOf(types: readonly StaticType[]): StaticType {
  const different = [...new Map(types.map((type) => [jsonText(type.source), type])).values()]
  const [only, ...others] = different
  if (only !== undefined && others.length === 0) return only
  if (different.some(({ source }) => source === true)) return ANYTHING
  return {
    source: { anyOf: different.map(({ source }) => source) },
    documents: documentsOf(different),
  }
}

export function allOf(sources: readonly Source[], documents: StaticType['documents']): StaticType {
  const [only, ...others] = sources
  return { source: others.length === 0 ? (only ?? true) : { allOf: sources }, documents }
}

export function withoutNull({ source, documents }: StaticType): StaticType {
  return { source: { allOf: [source, NOT_NULL] }, documents }
}

export function listOf(item: StaticType): StaticType {
  return { source: { type: 'array', items: item.source }, documents: item.documents }
}

/** A list of which every item is known. */
export function tupleOf(items: readonly StaticType[]): StaticType {
  const size = { type: 'array', minItems: items.length, maxItems: items.length }
  const source =
    items.length === 0
      ? size
      : { ...size, prefixItems: items.map((item) => item.source), items: false }
  return { source, documents: documentsOf(items) }
}

/** An object of which every field is known, and there. */
export function recordOf(fields: Readonly<Record<string, StaticType>>): StaticType {
  const entries = Object.entries(fields)
  const source = {
    type: 'object',
    properties: Object.fromEntries(entries.map(([name, type]) => [name, type.source])),
    required: entries.map(([name]) => name),
    additionalProperties: false,
  }
  return { source, documents: documentsOf(Object.values(fields)) }
}

function documentsOf(types: readonly StaticType[]): StaticType['documents'] {
  return Object.assign({}, ...types.map((type) => type.documents))
}
