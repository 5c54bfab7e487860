import type { Shape } from '@surehand/core/internal'
import { typeNames } from './expectation.ts'
import type { SchemaNode } from './node.ts'
import { textsOf } from './source.ts'

// Beyond these limits a shape is cut off, and everything below counts as secret.
const MAX_SHAPES = 5_000
const MAX_DEPTH = 100

/** The shape of a foreign schema for core: its fields, and which of them are secret. */
export function readShape(root: SchemaNode): Shape {
  return new ShapeReader().read([root], 0)
}

/**
 * Reads all subschemas of one place as one shape. If each were read on its own, hiding secrets
 * would visit a member once for each of them at every level: 2^depth times for a schema that refers
 * to itself twice.
 */
class ShapeReader {
  private readonly shapes = new Map<string, Shape>()
  private readonly numbers = new Map<SchemaNode, number>()

  read(nodes: readonly SchemaNode[], depth: number): Shape {
    const all = inPlace(nodes)
    if (all.some(isSecret)) return secret
    const key = this.keyOf(all)
    const known = this.shapes.get(key)
    if (known !== undefined) return known
    if (this.shapes.size >= MAX_SHAPES || depth > MAX_DEPTH) return secret
    // Registered before it is read, because it may refer to itself.
    this.shapes.set(key, {
      kind: 'lazy',
      inner: () => this.shapes.get(key) ?? secret,
      sensitive: false,
    })
    const shape = this.structure(all, depth + 1)
    this.shapes.set(key, shape)
    return shape
  }

  private keyOf(nodes: readonly SchemaNode[]): string {
    const numbers = nodes.map((node) => {
      const number = this.numbers.get(node) ?? this.numbers.size
      this.numbers.set(node, number)
      return number
    })
    return numbers.toSorted((left, right) => left - right).join()
  }

  private structure(all: readonly SchemaNode[], depth: number): Shape {
    const options = [...this.fields(all, depth), ...this.items(all, depth)]
    const [first, ...others] = options
    if (first === undefined) return scalarShape(all)
    return others.length === 0 ? first : { kind: 'union', options, sensitive: false }
  }

  private fields(all: readonly SchemaNode[], depth: number): readonly Shape[] {
    const isListed = all.some((one) => one.keyword('properties') !== undefined)
    const others = all.flatMap(othersOf)
    if (!isListed && others.length === 0 && !all.some((one) => typeNames(one).includes('object')))
      return []
    const required = new Set(all.slice(0, 1).flatMap((one) => textsOf(one.keyword('required'))))
    const names = [...new Set(all.flatMap((one) => [...one.parts.properties.keys()]))]
    const fields = names.map((name) => ({
      name,
      shape: this.read(
        all.flatMap((one) => membersOf(one, name)),
        depth,
      ),
      optional: !required.has(name),
    }))
    const rest = others.length > 0 ? this.read(others, depth) : isListed ? undefined : any
    return [{ kind: 'object', fields, rest, sensitive: false }]
  }

  private items(all: readonly SchemaNode[], depth: number): readonly Shape[] {
    const ones = all.filter(
      ({ parts }) =>
        parts.prefixItems.length > 0 ||
        parts.items !== undefined ||
        parts.unevaluatedItems !== undefined,
    )
    const [only, ...others] = ones
    if (only === undefined) return []
    const rest = ones.flatMap(({ parts }) =>
      [parts.items, parts.unevaluatedItems].filter((inner) => inner !== undefined),
    )
    const prefix = ones.flatMap(({ parts }) => parts.prefixItems)
    if (prefix.length === 0 || others.length > 0)
      return [{ kind: 'array', items: this.read([...prefix, ...rest], depth), sensitive: false }]
    const items = [
      ...prefix.map((inner) => this.read([inner], depth)),
      rest.length === 0 ? any : this.read(rest, depth),
    ]
    return [{ kind: 'tuple', items, sensitive: false }]
  }
}

const any: Shape = { kind: 'any', sensitive: false }
const secret: Shape = { kind: 'any', sensitive: true }

// All subschemas that may apply: a field that one branch marks as secret is secret.
function inPlace(nodes: readonly SchemaNode[]): readonly SchemaNode[] {
  const all = new Set(nodes)
  for (const one of all) {
    const { targets, allOf, anyOf, oneOf, condition, whenMet, whenNotMet, dependents } = one.parts
    const further = [
      ...targets,
      ...allOf,
      ...anyOf,
      ...oneOf,
      condition,
      whenMet,
      whenNotMet,
      ...dependents.values(),
    ]
    for (const inner of further) if (inner !== undefined) all.add(inner)
  }
  return [...all]
}

function isSecret(node: SchemaNode): boolean {
  return (
    node.keyword('writeOnly') === true ||
    node.keyword('x-sensitive') === true ||
    node.keyword('format') === 'password'
  )
}

// Subschemas that may apply to a name that is not listed.
function othersOf({ parts }: SchemaNode): readonly SchemaNode[] {
  const ones = [parts.additionalProperties, parts.unevaluatedProperties].filter(
    (inner) => inner !== undefined,
  )
  return [
    ...parts.patternProperties.map(([, inner]) => inner),
    ...ones.filter((inner) => inner.source !== false),
  ]
}

function membersOf({ parts }: SchemaNode, name: string): readonly SchemaNode[] {
  const { properties, patternProperties, additionalProperties, unevaluatedProperties } = parts
  const field = properties.get(name)
  const matching = patternProperties
    .filter(([pattern]) => pattern.test(name))
    .map(([, inner]) => inner)
  const known = field === undefined ? matching : [field, ...matching]
  return known.length > 0
    ? known
    : [additionalProperties, unevaluatedProperties].filter((inner) => inner !== undefined)
}

function scalarShape(all: readonly SchemaNode[]): Shape {
  const types = new Set(all.flatMap(typeNames))
  const [type] = types
  if (types.size !== 1) return any
  switch (type) {
    case 'string':
    case 'boolean':
      return { kind: type, sensitive: false }
    case 'number':
    case 'integer':
      return { kind: 'number', sensitive: false }
    default:
      return any
  }
}
