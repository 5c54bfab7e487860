import { isRecord } from '@surehand/core/internal'
import { kindOf } from './json-value.ts'
import { matchesSchema } from './matches-schema.ts'
import type { Branch, Member, Plan, Translation } from './plan.ts'
import { SAME } from './plan.ts'

/**
 * Translates a value that a model sent to the original schema. Values that do not match stay as
 * they are, and the runtime refuses them.
 */
export function restore(translation: Translation, value: unknown): unknown {
  return restoreValue(translation.plan, value, translation)
}

function restoreValue(plan: Plan, value: unknown, translation: Translation): unknown {
  switch (plan.kind) {
    case 'same':
      return value
    case 'list':
      return Array.isArray(value)
        ? value.map((item) => restoreValue(plan.items, item, translation))
        : value
    case 'object':
      return isRecord(value) ? restoreObject(plan, value, translation) : value
    case 'tuple':
      return isRecord(value) ? restoreTuple(plan, value, translation) : value
    case 'union':
      return restoreValue(
        branchOf(plan.branches, value, translation)?.plan ?? SAME,
        value,
        translation,
      )
    case 'reference':
      return restoreValue(translation.definitions.get(plan.to) ?? SAME, value, translation)
    case 'wrapped':
      // A model that ignored the wrapper sent the inner value directly.
      return restoreValue(
        plan.inside,
        isRecord(value) && Object.hasOwn(value, plan.name) ? value[plan.name] : value,
        translation,
      )
  }
}

// The branch that matches completely, else one of the same shape: nulls are removed even if the
// value exceeds a bound.
function branchOf(
  branches: readonly Branch[],
  value: unknown,
  { compiledRoot }: Translation,
): Branch | undefined {
  return (
    branches.find(({ compiled }) => matchesSchema(compiled, value, compiledRoot)) ??
    branches.find(({ compiled }) => looksLike(compiled, value))
  )
}

function looksLike({ type, properties }: Branch['compiled'], value: unknown): boolean {
  if (type !== kindOf(value)) return false
  if (!isRecord(value) || !isRecord(properties)) return true
  return Object.keys(value).every((name) => {
    const member = properties[name]
    const values = isRecord(member) && Array.isArray(member.enum) ? member.enum : undefined
    return member !== undefined && (values === undefined || values.includes(value[name]))
  })
}

type ObjectPlan = Extract<Plan, { kind: 'object' }>

function restoreObject(
  { members, extra }: ObjectPlan,
  value: Readonly<Record<string, unknown>>,
  translation: Translation,
): unknown {
  const named = Object.entries(value).flatMap(([name, part]): [string, unknown][] => {
    if (name === extra?.name) return []
    const member = members.get(name)
    if (member === undefined) return [[name, part]]
    return isLeftOut(member, part) ? [] : [[name, restoreValue(member.plan, part, translation)]]
  })
  const given = extra === undefined ? undefined : value[extra.name]
  if (extra === undefined || given === undefined || given === null) return Object.fromEntries(named)
  if (!isEntries(given)) return value
  const further = given.map(({ key, value: part }): [string, unknown] => [
    key,
    restoreValue(extra.plan, part, translation),
  ])
  const all = [...named, ...further]
  // A repeated key must not silently overwrite the other: the list is returned as it is, and the
  // runtime refuses it.
  if (new Set(all.map(([name]) => name)).size < all.length) return given
  return Object.fromEntries(all)
}

function isEntries(
  given: unknown,
): given is readonly { readonly key: string; readonly value: unknown }[] {
  return (
    Array.isArray(given) && given.every((entry) => isRecord(entry) && typeof entry.key === 'string')
  )
}

type TuplePlan = Extract<Plan, { kind: 'tuple' }>

function restoreTuple(
  { members, rest }: TuplePlan,
  value: Readonly<Record<string, unknown>>,
  translation: Translation,
): unknown {
  const items: unknown[] = []
  for (const [name, member] of members) {
    const part = value[name]
    if (part === undefined || isLeftOut(member, part)) return items
    items.push(restoreValue(member.plan, part, translation))
  }
  const further = rest === undefined ? undefined : value[rest.name]
  if (rest === undefined || !Array.isArray(further)) return items
  return [...items, ...further.map((item: unknown) => restoreValue(rest.plan, item, translation))]
}

function isLeftOut({ whenNull }: Member, part: unknown): boolean {
  return part === null && whenNull === 'absent'
}
