import { isRecord, type JsonSchema } from '@surehand/core/internal'
import { isOfType, sameJson } from './json-value.ts'
import { resolveReference } from './resolve-reference.ts'

// Stops at a schema that refers to itself directly, which would be followed for ever.
const MAX_DEPTH = 200

/**
 * Whether a value matches a schema, used only to choose the branch of a union; the runtime
 * validates the value itself. Patterns and formats are not checked, because a pattern from
 * elsewhere may take exponential time.
 */
export function matchesSchema(
  schema: unknown,
  value: unknown,
  root: JsonSchema,
  depth = 0,
): boolean {
  if (schema === true || depth > MAX_DEPTH) return true
  if (!isRecord(schema)) return false
  const inside = (part: unknown, of: unknown) => matchesSchema(part, of, root, depth + 1)
  if (
    typeof schema.$ref === 'string' &&
    !inside(resolveReference(root, schema.$ref) ?? true, value)
  )
    return false
  if (schema.type !== undefined && !isOfType(value, schema.type)) return false
  if ('const' in schema && !sameJson(schema.const, value)) return false
  if (Array.isArray(schema.enum) && !schema.enum.some((one) => sameJson(one, value))) return false
  if (Array.isArray(schema.anyOf) && !schema.anyOf.some((part) => inside(part, value))) return false
  if (Array.isArray(schema.oneOf) && !schema.oneOf.some((part) => inside(part, value))) return false
  if (Array.isArray(schema.allOf) && !schema.allOf.every((part) => inside(part, value)))
    return false
  if (schema.not !== undefined && inside(schema.not, value)) return false
  if (typeof value === 'number') return fitsNumber(schema, value)
  if (typeof value === 'string')
    return within([...value].length, schema.minLength, schema.maxLength)
  if (Array.isArray(value)) return fitsList(schema, value, inside)
  return isRecord(value) ? fitsObject(schema, value, inside) : true
}

type Inside = (part: unknown, of: unknown) => boolean

function fitsNumber(schema: JsonSchema, value: number): boolean {
  const { exclusiveMinimum: above, exclusiveMaximum: below, multipleOf: step } = schema
  if (!within(value, schema.minimum, schema.maximum)) return false
  if (typeof above === 'number' && value <= above) return false
  if (typeof below === 'number' && value >= below) return false
  return typeof step !== 'number' || Number.isInteger(value / step)
}

function fitsList(schema: JsonSchema, value: readonly unknown[], inside: Inside): boolean {
  const prefix = Array.isArray(schema.prefixItems) ? schema.prefixItems : []
  if (!within(value.length, schema.minItems, schema.maxItems)) return false
  return value.every((item, index) => {
    if (index < prefix.length) return inside(prefix[index], item)
    return schema.items === undefined || inside(schema.items, item)
  })
}

function fitsObject(schema: JsonSchema, value: JsonSchema, inside: Inside): boolean {
  const properties = isRecord(schema.properties) ? schema.properties : {}
  const required = Array.isArray(schema.required) ? schema.required : []
  const names = Object.keys(value)
  if (!required.every((name) => Object.hasOwn(value, String(name)))) return false
  if (!within(names.length, schema.minProperties, schema.maxProperties)) return false
  if (
    schema.propertyNames !== undefined &&
    !names.every((name) => inside(schema.propertyNames, name))
  )
    return false
  return names.every((name) => {
    if (Object.hasOwn(properties, name)) return inside(properties[name], value[name])
    return (
      schema.additionalProperties === undefined || inside(schema.additionalProperties, value[name])
    )
  })
}

function within(amount: number, least: unknown, most: unknown): boolean {
  return (
    (typeof least !== 'number' || amount >= least) && (typeof most !== 'number' || amount <= most)
  )
}
