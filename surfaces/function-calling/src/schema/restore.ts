import { isRecord } from '@surehand/core/internal'
import { matchesSchema } from './matches-schema.ts'
import { kindOf } from './json-value.ts'
import type { Branch, Member, Plan, Translation } from './plan.ts'
import { SAME } from './plan.ts'

/** A value that a model sent under the compiled schema, as the original schema knows it. What doesn't fit stays as it is, to be refused. */
export function restore(book: Translation, value: unknown): unknown {
  return restoreValue(book.plan, value, book)
}

function restoreValue(plan: Plan, value: unknown, book: Translation): unknown {
  switch (plan.kind) {
    case 'same':
      return value
    case 'list':
      return Array.isArray(value)
        ? value.map((item) => restoreValue(plan.items, item, book))
        : value
    case 'object':
      return isRecord(value) ? restoreObject(plan, value, book) : value
    case 'tuple':
      return isRecord(value) ? restoreTuple(plan, value, book) : value
    case 'union':
      return restoreValue(branchOf(plan.branches, value, book)?.plan ?? SAME, value, book)
    case 'reference':
      return restoreValue(book.definitions.get(plan.to) ?? SAME, value, book)
    case 'wrapped':
      // a model that ignored the wrapper meant the inside
      return restoreValue(
        plan.inside,
        isRecord(value) && Object.hasOwn(value, plan.name) ? value[plan.name] : value,
        book,
      )
  }
}

// what fits wholly, else what is at least of the same kind: a value that breaks a bound still has its nulls to lose
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
  book: Translation,
): unknown {
  const named = Object.entries(value).flatMap(([name, part]): [string, unknown][] => {
    if (name === extra?.name) return []
    const member = members.get(name)
    if (member === undefined) return [[name, part]]
    return isLeftOut(member, part) ? [] : [[name, restoreValue(member.plan, part, book)]]
  })
  const given = extra === undefined ? undefined : value[extra.name]
  if (extra === undefined || given === undefined || given === null) return Object.fromEntries(named)
  if (!isEntries(given)) return value
  const further = given.map(({ key, value: part }): [string, unknown] => [
    key,
    restoreValue(extra.plan, part, book),
  ])
  const all = [...named, ...further]
  // of two equal keys neither may win in silence: a list where an object belongs is refused
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
  book: Translation,
): unknown {
  const items: unknown[] = []
  for (const [name, member] of members) {
    const part = value[name]
    if (part === undefined || isLeftOut(member, part)) return items
    items.push(restoreValue(member.plan, part, book))
  }
  const further = rest === undefined ? undefined : value[rest.name]
  if (rest === undefined || !Array.isArray(further)) return items
  return [...items, ...further.map((item: unknown) => restoreValue(rest.plan, item, book))]
}

function isLeftOut({ whenNull }: Member, part: unknown): boolean {
  return part === null && whenNull === 'absent'
}
