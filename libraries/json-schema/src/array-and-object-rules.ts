import { evaluate } from './evaluate.ts'
import type { Evaluation } from './evaluation.ts'
import { clip, describeExpected } from './expectation.ts'
import type { Rule, SchemaNode } from './node.ts'
import { searchSteps } from './patterns.ts'
import type { Run } from './run.ts'
import { dependentNames, textsOf } from './source.ts'
import { Values } from './values.ts'

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

// A required name is not an unknown key, even if no subschema describes its value.
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
    (evaluation) => {
      evaluation.mentioned = mentioned
    },
  ]
}

function requiredRule(node: SchemaNode): readonly Rule[] {
  const required = textsOf(node.keyword('required'))
  if (required.length === 0) return []
  return [
    (evaluation, run) => {
      if (evaluation.kind !== 'object') return
      run.spend(required.length >> 2)
      for (const name of required) {
        if (!hasMember(evaluation.value, name))
          evaluation.fault('missing', () => requirement(node, name), {
            up: evaluation.path,
            step: name,
          })
      }
    },
  ]
}

function requirement(node: SchemaNode, name: string): string {
  const field = node.parts.properties.get(name)
  const words = field === undefined ? 'a value' : describeExpected(field)
  return words === 'a value' ? 'is required' : `is required: expected ${words}`
}

function dependentRequiredRule(node: SchemaNode): readonly Rule[] {
  return dependentNames(node.source).map(([given, names]) => (evaluation: Evaluation, run: Run) => {
    if (evaluation.kind !== 'object' || !hasMember(evaluation.value, given)) return
    run.spend(names.length >> 2)
    for (const name of names) {
      if (!hasMember(evaluation.value, name))
        evaluation.fault('missing', () => `is required where ${clip(given)} is given`, {
          up: evaluation.path,
          step: name,
        })
    }
  })
}

function namesRule(node: SchemaNode): readonly Rule[] {
  const { propertyNames } = node.parts
  if (propertyNames === undefined) return []
  return [
    (evaluation, run) => {
      if (evaluation.kind !== 'object') return
      for (const name of keysOf(evaluation.value, run)) {
        const path = { up: evaluation.path, step: name }
        const judged = evaluate(propertyNames, name, path, run)
        if (judged.faults !== undefined)
          evaluation.fault(
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
    (evaluation, run) => {
      if (evaluation.kind !== 'object') return
      evaluation.lists = lists
      evaluation.names = others === undefined ? new Set() : 'all'
      for (const name of keysOf(evaluation.value, run)) memberRule(name, evaluation, run)
    },
  ]

  function memberRule(name: string, evaluation: Evaluation, run: Run): void {
    if (name === '__proto__') {
      evaluation.fault('unknown', forbiddenName, { up: evaluation.path, step: name })
      return
    }
    const field = properties.get(name)
    const matching = patternProperties.length === 0 ? [] : matches(name, run)
    for (const inner of field === undefined ? matching : [field, ...matching])
      inspectMember(inner, name, evaluation, run)
    if (field !== undefined || matching.length > 0) {
      if (evaluation.names !== 'all') evaluation.names?.add(name)
    } else if (others !== undefined) inspectOther(others, name, evaluation, run)
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

function inspectOther(node: SchemaNode, name: string, evaluation: Evaluation, run: Run): void {
  if (node.source === false)
    evaluation.fault('unknown', describeUnknownField, { up: evaluation.path, step: name })
  else if (node.source !== true) inspectMember(node, name, evaluation, run)
}

function inspectMember(node: SchemaNode, name: string, evaluation: Evaluation, run: Run): void {
  const path = { up: evaluation.path, step: name }
  const found = evaluate(
    node,
    (evaluation.value as Readonly<Record<string, unknown>>)[name],
    path,
    run,
  )
  const known = evaluation.members?.get(name)
  // A name may be both listed and matched by a pattern: the results are combined.
  if (known !== undefined && found.faults === undefined) known.join(found)
  else evaluation.joinMember(name, found)
}

/** `unevaluatedProperties`: applies to names that no other subschema has evaluated. */
export function unevaluatedMembers(node: SchemaNode): readonly Rule[] {
  const { unevaluatedProperties: others } = node.parts
  if (others === undefined) return []
  return [
    (evaluation, run) => {
      if (evaluation.kind !== 'object' || evaluation.faults !== undefined) return
      const together = evaluation.together()
      for (const name of keysOf(evaluation.value, run)) {
        run.spend(together.length)
        if (!together.some(({ names }) => names === 'all' || names?.has(name)))
          inspectOther(others, name, evaluation, run)
      }
      evaluation.names = 'all'
    },
  ]
}

function keysOf(value: unknown, run: Run): readonly string[] {
  const keys = Object.keys(value as object)
  run.spend(keys.length)
  return keys.filter((key) => hasMember(value, key))
}

/** Whether an object has a member. Undefined counts as absent, because JSON would omit it. */
export function hasMember(value: unknown, name: string): boolean {
  return (
    Object.hasOwn(value as object, name) &&
    (value as Readonly<Record<string, unknown>>)[name] !== undefined
  )
}

/** The message for an unknown key, the same as for tools with zod schemas. */
export function describeUnknownField(): string {
  return 'is not a field of this tool'
}

function forbiddenName(): string {
  return 'is not accepted as a name'
}

/** Rules about the items of an array. */
export function itemRules(node: SchemaNode): readonly Rule[] {
  return [...itemsRule(node), ...containsRule(node), ...uniqueRule(node)]
}

function itemsRule(node: SchemaNode): readonly Rule[] {
  const { prefixItems, items } = node.parts
  if (prefixItems.length === 0 && items === undefined) return []
  return [
    (evaluation, run) => {
      if (!Array.isArray(evaluation.value)) return
      const { length } = evaluation.value
      const known = items === undefined ? Math.min(length, prefixItems.length) : length
      for (let index = 0; index < known; index++) {
        const inner = prefixItems[index] ?? items
        if (inner !== undefined && inner.source !== true)
          evaluation.joinMember(
            index,
            evaluate(inner, evaluation.value[index], { up: evaluation.path, step: index }, run),
          )
      }
      evaluation.itemCount = known
    },
  ]
}

function containsRule(node: SchemaNode): readonly Rule[] {
  const { contains } = node.parts
  if (contains === undefined) return []
  const least = numberOr(node.keyword('minContains'), 1)
  const most = numberOr(node.keyword('maxContains'), Number.POSITIVE_INFINITY)
  return [
    (evaluation, run) => {
      if (!Array.isArray(evaluation.value)) return
      const found = new Set<number>()
      for (let index = 0; index < evaluation.value.length; index++) {
        const judged = evaluate(
          contains,
          evaluation.value[index],
          { up: evaluation.path, step: index },
          run,
        )
        if (judged.faults === undefined) found.add(index)
      }
      evaluation.items = found
      checkCount(evaluation, found.size, least, most)
    },
  ]
}

function checkCount(evaluation: Evaluation, count: number, least: number, most: number): void {
  if (count < least)
    evaluation.fault(
      'value',
      () => `must contain at least ${least} item${least === 1 ? '' : 's'} of the wanted form`,
    )
  else if (count > most)
    evaluation.fault(
      'value',
      () => `must contain at most ${most} item${most === 1 ? '' : 's'} of the wanted form`,
    )
}

function uniqueRule(node: SchemaNode): readonly Rule[] {
  if (node.keyword('uniqueItems') !== true) return []
  return [
    (evaluation, run) => {
      if (!Array.isArray(evaluation.value)) return
      const values = new Values()
      run.spend(evaluation.value.length)
      const repeated = evaluation.value.findIndex((item) => !values.add(item, run))
      if (repeated !== -1)
        evaluation.fault(
          'value',
          () => `must not hold the same item twice: item ${repeated} is a repetition`,
        )
    },
  ]
}

function numberOr(value: unknown, otherwise: number): number {
  return typeof value === 'number' ? value : otherwise
}

/** `unevaluatedItems`: applies to items that no other subschema has evaluated. */
export function unevaluatedItems(node: SchemaNode): readonly Rule[] {
  const { unevaluatedItems: others } = node.parts
  if (others === undefined) return []
  return [
    (evaluation, run) => {
      if (!Array.isArray(evaluation.value) || evaluation.faults !== undefined) return
      const together = evaluation.together()
      const count = Math.max(...together.map(({ itemCount }) => itemCount))
      for (let index = count; index < evaluation.value.length; index++) {
        run.spend(together.length)
        if (together.some(({ items }) => items?.has(index))) continue
        evaluation.joinMember(
          index,
          evaluate(others, evaluation.value[index], { up: evaluation.path, step: index }, run),
        )
      }
      evaluation.itemCount = evaluation.value.length
    },
  ]
}
