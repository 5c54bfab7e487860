import { isRecord, type JsonSchema } from '@surehand/core/internal'
import { sameJson } from './json-value.ts'

/** A schema that no value matches. */
export const NEVER: JsonSchema = { not: {} }

const GREATEST = new Set(['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties'])
const LEAST = new Set(['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties'])
const MAX_BRANCHES = 64

/**
 * Merges two schemas that both apply. Members that both name become an `allOf` of the two, which is
 * merged when they are compiled; keywords that cannot be merged stay in `allOf`.
 */
export function mergeSchemas(left: JsonSchema, right: JsonSchema): JsonSchema {
  const [a, b] = [withEnum(left), withEnum(right)]
  const merged: Record<string, unknown> = { ...a, ...objectPart(a, b) }
  const leftovers: JsonSchema[] = Array.isArray(a.allOf) ? [...a.allOf] : []
  for (const [keyword, value] of Object.entries(b)) {
    if (OBJECT_PART.has(keyword)) continue
    if (keyword === 'allOf' && Array.isArray(value)) leftovers.push(...value)
    else if (!(keyword in a) || sameJson(a[keyword], value)) merged[keyword] = value
    else {
      const both = mergeKeyword(keyword, a[keyword], value)
      if (both === undefined) leftovers.push({ [keyword]: value })
      else merged[keyword] = both
    }
  }
  const { allOf: _, ...rest } = merged
  if (isEmpty(rest.type) || isEmpty(rest.enum) || isEmpty(rest.anyOf)) return NEVER
  return leftovers.length === 0 ? rest : { ...rest, allOf: leftovers }
}

// No value matches an empty list of types, values or branches.
function isEmpty(list: unknown): boolean {
  return Array.isArray(list) && list.length === 0
}

function withEnum(schema: JsonSchema): JsonSchema {
  if (!('const' in schema)) return schema
  const { const: value, ...rest } = schema
  return { ...rest, enum: [value] }
}

function mergeKeyword(keyword: string, left: unknown, right: unknown): unknown {
  if (GREATEST.has(keyword)) return Math.max(Number(left), Number(right))
  if (LEAST.has(keyword)) return Math.min(Number(left), Number(right))
  switch (keyword) {
    case 'type':
      return mergeTypes(left, right)
    case 'enum':
      return (left as readonly unknown[]).filter((one) =>
        (right as readonly unknown[]).some((other) => sameJson(one, other)),
      )
    case 'items':
      return { allOf: [left, right] }
    case 'anyOf':
      return mergeBranches(left as readonly unknown[], right as readonly unknown[])
    case 'title':
    case 'default':
    case 'examples':
      return left
    case 'description':
      return `${left} ${right}`
    default:
      return undefined
  }
}

function mergeTypes(left: unknown, right: unknown): unknown {
  const [one, other] = [[left].flat(), [right].flat()]
  const both = one.flatMap((type) => {
    if (other.includes(type)) return [type]
    if (type === 'number' && other.includes('integer')) return ['integer']
    return type === 'integer' && other.includes('number') ? ['integer'] : []
  })
  return both.length === 1 ? both[0] : both
}

function mergeBranches(left: readonly unknown[], right: readonly unknown[]): unknown {
  if (left.length * right.length > MAX_BRANCHES) return undefined
  return left.flatMap((one) => right.map((other) => ({ allOf: [one, other] })))
}

const OBJECT_PART = new Set(['properties', 'required', 'additionalProperties'])

function objectPart(a: JsonSchema, b: JsonSchema): JsonSchema {
  const [left, right] = [
    isRecord(a.properties) ? a.properties : {},
    isRecord(b.properties) ? b.properties : {},
  ]
  const names = new Set([...Object.keys(left), ...Object.keys(right)])
  const required = new Set([
    ...((a.required as readonly string[]) ?? []),
    ...((b.required as readonly string[]) ?? []),
  ])
  const further = intersect(a.additionalProperties, b.additionalProperties)
  const properties = [...names].map((name) => [
    name,
    intersect(propertySchema(a, left, name), propertySchema(b, right, name)) ?? {},
  ])
  return {
    ...('properties' in a || 'properties' in b
      ? { properties: Object.fromEntries(properties) }
      : {}),
    ...(required.size > 0 ? { required: [...required] } : {}),
    ...(further === undefined ? {} : { additionalProperties: further }),
  }
}

function propertySchema(schema: JsonSchema, properties: JsonSchema, name: string): unknown {
  return Object.hasOwn(properties, name) ? properties[name] : schema.additionalProperties
}

function intersect(left: unknown, right: unknown): unknown {
  if (left === undefined || left === true) return right ?? left
  if (right === undefined || right === true) return left
  if (left === false || right === false) return false
  return sameJson(left, right) ? left : { allOf: [left, right] }
}
