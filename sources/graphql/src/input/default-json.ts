import { BOUNDS } from '../schema/bounds.ts'
import { isKey } from '../schema/build-model.ts'
import type { Literal } from '../schema/literal.ts'
import {
  type InputObject,
  isRequired,
  type SchemaModel,
  type TypeReference,
} from '../schema/schema-model.ts'

type Read = { readonly value: unknown } | undefined
type Place = { readonly model: SchemaModel; readonly depth: number }

/** A default value as JSON; undefined if it does not match its type. */
export function defaultJson(literal: Literal, type: TypeReference, model: SchemaModel): Read {
  return toJson(literal, type, { model, depth: 0 })
}

function toJson(literal: Literal, type: TypeReference, place: Place): Read {
  if (place.depth > BOUNDS.literalDepth) return undefined
  if (type.kind === 'nonNull')
    return literal.kind === 'null' ? undefined : toJson(literal, type.of, place)
  if (literal.kind === 'null') return { value: null }
  if (type.kind === 'list') return toList(literal, type.of, place)
  const definition = place.model.types.get(type.name)
  switch (definition?.kind) {
    case 'enum':
      return literal.kind === 'enum' && definition.values.includes(literal.name)
        ? { value: literal.name }
        : undefined
    case 'input':
      return literal.kind === 'object' ? toObject(literal.fields, definition, place) : undefined
    case 'scalar':
      return toScalar(literal, definition.name)
    default:
      return undefined
  }
}

// GraphQL accepts a single value where a list is expected.
function toList(literal: Literal, of: TypeReference, { model, depth }: Place): Read {
  const items = literal.kind === 'list' ? literal.items : [literal]
  const read = items.map((item) => toJson(item, of, { model, depth: depth + 1 }))
  return read.includes(undefined) ? undefined : { value: read.map((item) => item?.value) }
}

function toObject(
  fields: readonly (readonly [string, Literal])[],
  type: InputObject,
  { model, depth }: Place,
): Read {
  const entries: [string, unknown][] = []
  for (const [name, literal] of fields) {
    const input = type.inputs.find((candidate) => candidate.name === name)
    const read =
      input === undefined || !isKey(name)
        ? undefined
        : toJson(literal, input.type, { model, depth: depth + 1 })
    if (read === undefined) return undefined
    entries.push([name, read.value])
  }
  const isWhole = type.inputs.every(
    (input) => !isRequired(input) || entries.some(([name]) => name === input.name),
  )
  return isWhole ? { value: Object.fromEntries(entries) } : undefined
}

function toScalar(literal: Literal, name: string): Read {
  switch (name) {
    case 'Int':
      return literal.kind === 'number' && /^-?[0-9]{1,9}$/.test(literal.text)
        ? toNumber(literal.text)
        : undefined
    case 'Float':
      return literal.kind === 'number' ? toNumber(literal.text) : undefined
    case 'String':
      return literal.kind === 'string' ? { value: literal.value.toWellFormed() } : undefined
    case 'ID':
      return literal.kind === 'string'
        ? { value: literal.value }
        : literal.kind === 'number'
          ? { value: literal.text }
          : undefined
    case 'Boolean':
      return literal.kind === 'boolean' ? { value: literal.value } : undefined
    default:
      return toPlainValue(literal)
  }
}

function toPlainValue(literal: Literal): Read {
  switch (literal.kind) {
    case 'null':
      return { value: null }
    case 'string':
    case 'boolean':
      return { value: literal.value }
    case 'number':
      return toNumber(literal.text)
    // Only the server knows how a custom scalar reads lists, objects and names.
    case 'enum':
    case 'list':
    case 'object':
      return undefined
  }
}

function toNumber(text: string): Read {
  const value = Number(text)
  return Number.isFinite(value) && (Number.isSafeInteger(value) || !Number.isInteger(value))
    ? { value }
    : undefined
}
