import { isRecord, type JsonSchema } from '@surehand/core/internal'

const DEEPEST = 16
const TEXTS: Readonly<Record<string, string>> = {
  'date-time': '2026-01-15T08:00:00Z',
  date: '2026-01-15',
  uri: 'https://example.com/',
  uuid: '00000000-0000-4000-8000-000000000000',
}

/**
 * An example with the required fields only; none if required types contain each other without end.
 */
export function exampleInput(schema: JsonSchema): { readonly example?: unknown } {
  try {
    return { example: exampleOf(schema, schema, 0) }
  } catch (thrown) {
    if (thrown instanceof RangeError) return {}
    throw thrown
  }
}

function exampleOf(schema: JsonSchema, root: JsonSchema, depth: number): unknown {
  if (depth > DEEPEST || 'not' in schema) throw new RangeError('This schema has no finite example.')
  const { $ref: reference, anyOf, type, enum: values } = schema
  if (typeof reference === 'string')
    return exampleOf(definitionOf(reference, root), root, depth + 1)
  if (Array.isArray(anyOf)) return exampleOf(anyOf[0], root, depth)
  if (Array.isArray(values)) return values[0]
  switch (Array.isArray(type) ? type[0] : type) {
    case 'object':
      return objectOf(schema, root, depth)
    case 'array':
      return isRecord(schema.items) ? [exampleOf(schema.items, root, depth + 1)] : []
    case 'integer':
    case 'number':
      return 1
    case 'boolean':
      return true
    default:
      return TEXTS[String(schema.format)] ?? 'text'
  }
}

function objectOf(
  { properties, required, minProperties }: JsonSchema,
  root: JsonSchema,
  depth: number,
): unknown {
  const fields = isRecord(properties) ? properties : {}
  const alternatives = minProperties === 1 ? Object.keys(fields) : []
  // Of alternatives, a scalar is preferred: an object may lead on without end.
  const plain = alternatives.find(
    (name) => isRecord(fields[name]) && fields[name].type !== 'object' && !('$ref' in fields[name]),
  )
  const names = Array.isArray(required) ? required : [plain ?? alternatives[0] ?? []].flat()
  return Object.fromEntries(
    names.map((name: string) => [name, exampleOf(fields[name] as JsonSchema, root, depth + 1)]),
  )
}

function definitionOf(reference: string, root: JsonSchema): JsonSchema {
  const definitions = root.$defs as Readonly<Record<string, JsonSchema>>
  return definitions[reference.slice('#/$defs/'.length)] ?? {}
}
