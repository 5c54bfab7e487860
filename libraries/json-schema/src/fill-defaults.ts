import { BOUNDS } from './bounds.ts'
import { evaluate } from './evaluate.ts'
import { kindOf } from './evaluation.ts'
import type { Default, SchemaNode } from './node.ts'
import { hasMember } from './array-and-object-rules.ts'
import { searchSteps } from './patterns.ts'
import { Run, TooMuchWork } from './run.ts'

/**
 * Adds the defaults of absent fields. Only from subschemas that always apply: a default must not
 * decide which branch of a union applies.
 */
export function fillDefaults(node: SchemaNode, value: unknown, run: Run): unknown {
  const kind = kindOf(value)
  if (kind !== 'object' && kind !== 'array') return value
  run.enter()
  let filled = value
  for (const inner of [...node.parts.targets, ...node.parts.allOf])
    filled = fillDefaults(inner, filled, run)
  const full = Array.isArray(filled)
    ? fillItems(node, filled, run)
    : fillFields(node, filled as Fields, run)
  run.leave()
  return full
}

type Fields = Readonly<Record<string, unknown>>

function fillItems(node: SchemaNode, items: readonly unknown[], run: Run): readonly unknown[] {
  const { prefixItems, items: others } = node.parts
  let filled: unknown[] | undefined
  for (let index = 0; index < items.length; index++) {
    const inner = prefixItems[index] ?? others
    if (inner === undefined) break
    const item = fillDefaults(inner, items[index], run)
    if (item === items[index]) continue
    filled ??= [...items]
    filled[index] = item
  }
  return filled ?? items
}

function fillFields(node: SchemaNode, fields: Fields, run: Run): Fields {
  const changes: [string, unknown][] = []
  for (const [name, inner] of node.parts.properties) {
    if (hasMember(fields, name)) continue
    const missing = findDefault(inner)
    if (missing === undefined) continue
    run.spend(missing.steps)
    changes.push([name, copyOf(missing.value)])
  }
  for (const name of Object.keys(fields)) {
    const member = fields[name]
    if (typeof member !== 'object') continue
    const filled = subschemasOf(name, node, run).reduce<unknown>(
      (current, inner) => fillDefaults(inner, current, run),
      member,
    )
    if (filled !== member) changes.push([name, filled])
  }
  // From entries: assigning to `__proto__` would not create a field.
  return changes.length === 0 ? fields : Object.fromEntries([...Object.entries(fields), ...changes])
}

// Copied, because a tool may change its input, and the next call must get the original default.
function copyOf(value: unknown): unknown {
  return typeof value === 'object' && value !== null ? structuredClone(value) : value
}

function subschemasOf(name: string, node: SchemaNode, run: Run): readonly SchemaNode[] {
  const { properties, patternProperties, additionalProperties } = node.parts
  run.spend(1)
  const field = properties.get(name)
  const matching = patternProperties.flatMap(([pattern, inner]) => {
    run.spend(searchSteps(pattern, name))
    return pattern.test(name) ? [inner] : []
  })
  if (field !== undefined) return [field, ...matching]
  return matching.length > 0 || additionalProperties === undefined
    ? matching
    : [additionalProperties]
}

/** The default of a field with the defaults inside it; none if it does not match its own schema. */
function findDefault(node: SchemaNode): Default | undefined {
  const { defaults } = node.graph
  if (defaults.has(node)) return defaults.get(node)
  // Undefined while it is computed: a default that contains itself would not end.
  defaults.set(node, undefined)
  const given = ownDefault(node)
  const whole = given === undefined ? undefined : completeDefault(node, given.value)
  defaults.set(node, whole)
  return whole
}

function ownDefault(node: SchemaNode): { readonly value: unknown } | undefined {
  const value = node.keyword('default')
  if (value !== undefined) return { value }
  for (const inner of [...node.parts.targets, ...node.parts.allOf]) {
    const found = ownDefault(inner)
    if (found !== undefined) return found
  }
  return undefined
}

function completeDefault(node: SchemaNode, given: unknown): Default | undefined {
  const run = new Run(BOUNDS.defaultSteps)
  try {
    const value = fillDefaults(node, given, run)
    return evaluate(node, value, undefined, run).faults === undefined
      ? { value, steps: run.spent }
      : undefined
  } catch (error) {
    if (error instanceof TooMuchWork) return undefined
    throw error
  }
}
