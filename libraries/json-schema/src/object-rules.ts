import { evaluate } from './evaluate.ts'
import { cut, expectation } from './expectation.ts'
import type { Rule, SchemaNode } from './node.ts'
import { searchSteps } from './patterns.ts'
import type { Run } from './run.ts'
import { dependentNames, textsOf } from './source.ts'
import type { Spot } from './spot.ts'

/** Rules about the fields of an object. */
export function memberRules(node: SchemaNode): readonly Rule[] {
  return [
    ...mentionRule(node),
    ...requiredRule(node),
    ...dependentRequiredRule(node),
    ...namesRule(node),
    ...membersRule(node),
  ]
}

// what is asked for by name is no unknown key, though nothing says what it holds
function mentionRule(node: SchemaNode): readonly Rule[] {
  const { properties, dependents } = node.parts
  const together = dependentNames(node.source).flatMap(([name, names]) => [name, ...names])
  const mentioned = new Set(
    [...textsOf(node.keyword('required')), ...together, ...dependents.keys()].filter(
      (name) => !properties.has(name),
    ),
  )
  if (mentioned.size === 0) return []
  return [
    (spot) => {
      spot.mentioned = mentioned
    },
  ]
}

function requiredRule(node: SchemaNode): readonly Rule[] {
  const required = textsOf(node.keyword('required'))
  if (required.length === 0) return []
  return [
    (spot, run) => {
      if (spot.kind !== 'object') return
      run.spend(required.length >> 2)
      for (const name of required) {
        if (!has(spot.value, name))
          spot.fault('missing', () => requirement(node, name), { up: spot.path, step: name })
      }
    },
  ]
}

function requirement(node: SchemaNode, name: string): string {
  const field = node.parts.properties.get(name)
  const words = field === undefined ? 'a value' : expectation(field)
  return words === 'a value' ? 'is required' : `is required: expected ${words}`
}

function dependentRequiredRule(node: SchemaNode): readonly Rule[] {
  return dependentNames(node.source).map(([given, names]) => (spot: Spot, run: Run) => {
    if (spot.kind !== 'object' || !has(spot.value, given)) return
    run.spend(names.length >> 2)
    for (const name of names) {
      if (!has(spot.value, name))
        spot.fault('missing', () => `is required where ${cut(given)} is given`, {
          up: spot.path,
          step: name,
        })
    }
  })
}

function namesRule(node: SchemaNode): readonly Rule[] {
  const { propertyNames } = node.parts
  if (propertyNames === undefined) return []
  return [
    (spot, run) => {
      if (spot.kind !== 'object') return
      for (const name of keysOf(spot.value, run)) {
        const path = { up: spot.path, step: name }
        const judged = evaluate(propertyNames, name, path, run)
        if (judged.faults !== undefined)
          spot.fault(
            'value',
            () => `has a name that ${judged.faults?.[0]?.say() ?? 'is not allowed'}`,
            path,
          )
      }
    },
  ]
}

function membersRule(node: SchemaNode): readonly Rule[] {
  const { properties, patternProperties, additionalProperties: others } = node.parts
  const lists = node.keyword('properties') !== undefined || patternProperties.length > 0
  if (!lists && others === undefined) return []
  return [
    (spot, run) => {
      if (spot.kind !== 'object') return
      spot.lists = lists
      spot.names = others === undefined ? new Set() : 'all'
      for (const name of keysOf(spot.value, run)) memberRule(name, spot, run)
    },
  ]

  function memberRule(name: string, spot: Spot, run: Run): void {
    if (name === '__proto__') {
      spot.fault('unknown', unwelcome, { up: spot.path, step: name })
      return
    }
    const field = properties.get(name)
    const matching = patternProperties.length === 0 ? [] : matches(name, run)
    for (const inner of field === undefined ? matching : [field, ...matching])
      inspect(inner, name, spot, run)
    if (field !== undefined || matching.length > 0) {
      if (spot.names !== 'all') spot.names?.add(name)
    } else if (others !== undefined) other(others, name, spot, run)
  }

  function matches(name: string, run: Run): readonly SchemaNode[] {
    return patternProperties
      .filter(([pattern]) => {
        run.spend(searchSteps(pattern, name))
        return pattern.test(name)
      })
      .map(([, inner]) => inner)
  }
}

function other(node: SchemaNode, name: string, spot: Spot, run: Run): void {
  if (node.source === false) spot.fault('unknown', unknownField, { up: spot.path, step: name })
  else if (node.source !== true) inspect(node, name, spot, run)
}

function inspect(node: SchemaNode, name: string, spot: Spot, run: Run): void {
  const path = { up: spot.path, step: name }
  const found = evaluate(node, (spot.value as Readonly<Record<string, unknown>>)[name], path, run)
  const known = spot.members?.get(name)
  // a name may be both listed and matched: the second finding joins the first
  if (known !== undefined && found.faults === undefined) known.join(found)
  else spot.joinMember(name, found)
}

/** The last word on names that nobody else knew. */
export function unevaluatedMembers(node: SchemaNode): readonly Rule[] {
  const { unevaluatedProperties: others } = node.parts
  if (others === undefined) return []
  return [
    (spot, run) => {
      if (spot.kind !== 'object' || spot.faults !== undefined) return
      const together = spot.together()
      for (const name of keysOf(spot.value, run)) {
        run.spend(together.length)
        if (!together.some(({ names }) => names === 'all' || names?.has(name)))
          other(others, name, spot, run)
      }
      spot.names = 'all'
    },
  ]
}

function keysOf(value: unknown, run: Run): readonly string[] {
  const keys = Object.keys(value as object)
  run.spend(keys.length)
  return keys.filter((key) => has(value, key))
}

/** A member that is undefined is not there: JSON would not carry it. */
export function has(value: unknown, name: string): boolean {
  return (
    Object.hasOwn(value as object, name) &&
    (value as Readonly<Record<string, unknown>>)[name] !== undefined
  )
}

/** What is said of a key that nobody asked for, the same sentence as for tools of our own. */
export function unknownField(): string {
  return 'is not a field of this tool'
}

function unwelcome(): string {
  return 'is not accepted as a name'
}
