import type { JsonSchema } from '@surehand/core/internal'
import { isRecord } from '@surehand/core/worker-entry'

/** The parts of a JSON schema that decide how a field is written on a command line. */
export type SchemaNode = {
  readonly types: ReadonlySet<string>
  readonly values: readonly unknown[] | undefined
  readonly properties: ReadonlyMap<string, unknown> | undefined
  readonly required: ReadonlySet<string>
  readonly items: unknown
  readonly keywords: JsonSchema
}

const MAX_STEPS = 8

/** Reads one node of a schema: follows references within the document and ignores "or null". */
export function readNode(schema: unknown, root: JsonSchema): SchemaNode {
  const keywords = resolveSchema(schema, root)
  const {
    type,
    enum: values,
    const: only,
    properties,
    required,
    items,
  } = keywords as Readonly<Record<string, unknown>>
  const given = only === undefined ? (Array.isArray(values) ? values : undefined) : [only]
  const types = given === undefined ? typesOf(type, keywords, root) : given.map(jsonType)
  return {
    types: new Set(types),
    values: given,
    properties: isRecord(properties) ? new Map(Object.entries(properties)) : undefined,
    required: new Set(
      Array.isArray(required) ? required.filter((name) => typeof name === 'string') : [],
    ),
    items,
    keywords,
  }
}

function typesOf(type: unknown, keywords: JsonSchema, root: JsonSchema): readonly string[] {
  if (typeof type === 'string') return [type]
  if (Array.isArray(type)) return type.filter((one) => typeof one === 'string')
  const options = optionsOf(keywords)
  if (options === undefined) return ['any']
  return options.flatMap((option) => [...readNode(option, root).types])
}

function optionsOf({ anyOf, oneOf }: JsonSchema): readonly unknown[] | undefined {
  return Array.isArray(anyOf) ? anyOf : Array.isArray(oneOf) ? oneOf : undefined
}

// Outer annotations win: a description beside a reference is about this field.
function resolveSchema(schema: unknown, root: JsonSchema): JsonSchema {
  let current = isRecord(schema) ? schema : {}
  for (let step = 0; step < MAX_STEPS; step++) {
    const { $ref, allOf, anyOf, oneOf, ...annotations } = current
    const inner =
      typeof $ref === 'string'
        ? resolveReference($ref, root)
        : (only(allOf) ?? besideNull(anyOf ?? oneOf))
    if (!isRecord(inner)) return current
    current = { ...inner, ...annotations }
  }
  // A reference to itself defines nothing.
  return {}
}

function only(parts: unknown): unknown {
  return Array.isArray(parts) && parts.length === 1 ? parts[0] : undefined
}

function besideNull(options: unknown): unknown {
  if (!Array.isArray(options) || options.length !== 2) return undefined
  return only(options.filter((option) => !(isRecord(option) && option.type === 'null')))
}

function resolveReference(reference: string, root: JsonSchema): unknown {
  if (reference === '#') return root
  if (!reference.startsWith('#/')) return {}
  const steps = reference.slice(2).split('/')
  return steps.reduce<unknown>((node, step) => {
    const name = decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~')
    return isRecord(node) && Object.hasOwn(node, name) ? node[name] : {}
  }, root)
}

function jsonType(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}
