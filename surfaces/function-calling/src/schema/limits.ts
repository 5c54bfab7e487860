import { isRecord, type JsonSchema } from '@surehand/core/internal'
import { OPENAI_STRICT_LIMITS } from './dialect.ts'

/** The size of a compiled schema, as the vendors count it. */
export type SchemaSize = {
  readonly depth: number
  readonly properties: number
  readonly optional: number
  readonly unions: number
  readonly enums: readonly (readonly unknown[])[]
  readonly characters: number
}

const NOTHING: SchemaSize = {
  depth: 0,
  properties: 0,
  optional: 0,
  unions: 0,
  enums: [],
  characters: 0,
}

export function measureSchema(node: unknown): SchemaSize {
  if (!isRecord(node)) return NOTHING
  const properties = isRecord(node.properties) ? node.properties : {}
  const definitions = isRecord(node.$defs) ? node.$defs : {}
  const names = Object.keys(properties)
  const required = Array.isArray(node.required) ? node.required : []
  const values = Array.isArray(node.enum) ? node.enum : []
  const parts = [
    ...Object.values(properties),
    ...Object.values(definitions),
    node.items,
    ...(Array.isArray(node.anyOf) ? node.anyOf : []),
  ]
  const below = parts.map(measureSchema).reduce(addSizes, NOTHING)
  const level = node.type === 'object' || node.type === 'array' ? 1 : 0
  return addSizes(
    { ...below, depth: below.depth + level },
    {
      depth: 0,
      properties: names.length,
      optional: names.filter((name) => !required.includes(name)).length,
      unions: Array.isArray(node.anyOf) ? 1 : 0,
      enums: values.length === 0 ? [] : [values],
      characters: [...names, ...Object.keys(definitions), ...values].map(String).join('').length,
    },
  )
}

function addSizes(one: SchemaSize, other: SchemaSize): SchemaSize {
  return {
    depth: Math.max(one.depth, other.depth),
    properties: one.properties + other.properties,
    optional: one.optional + other.optional,
    unions: one.unions + other.unions,
    enums: [...one.enums, ...other.enums],
    characters: one.characters + other.characters,
  }
}

/**
 * The limit of OpenAI's strict mode that a schema exceeds, as a sentence; undefined if it exceeds
 * none.
 */
export function exceededOpenaiLimit(schema: JsonSchema): string | undefined {
  const limits = OPENAI_STRICT_LIMITS
  const { depth, properties, enums, characters } = measureSchema(schema)
  if (depth > limits.depth) return `it nests ${depth} levels, the limit is ${limits.depth}`
  if (properties > limits.properties)
    return `it has ${properties} properties, the limit is ${limits.properties}`
  if (enums.flat().length > limits.enumValues)
    return `its enums have ${enums.flat().length} values, the limit is ${limits.enumValues}`
  if (characters > limits.characters)
    return `its names and values have ${characters} characters, the limit is ${limits.characters}`
  const long = enums.some(
    (values) =>
      values.length > limits.longEnum &&
      values.map(String).join('').length > limits.longEnumCharacters,
  )
  return long
    ? `an enum of more than ${limits.longEnum} values is longer than ${limits.longEnumCharacters} characters`
    : undefined
}
