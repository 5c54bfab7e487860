import { isRecord } from '@surehand/core/internal'
import { matchesSchema } from './matches-schema.ts'
import { type Branch, type Plan, type Translation, SAME } from './plan.ts'

/** A value of the original schema as a model would send it under the compiled one: what examples are shown as. */
export function express(book: Translation, value: unknown): unknown {
  return expressValue(book.plan, value, book)
}

function expressValue(plan: Plan, value: unknown, book: Translation): unknown {
  switch (plan.kind) {
    case 'same':
      return value
    case 'list':
      return Array.isArray(value)
        ? value.map((item) => expressValue(plan.items, item, book))
        : value
    case 'object':
      return isRecord(value) ? expressObject(plan, value, book) : value
    case 'tuple':
      return Array.isArray(value) ? expressTuple(plan, value, book) : value
    case 'union':
      return expressValue(branchOf(plan.branches, value, book)?.plan ?? SAME, value, book)
    case 'reference':
      return expressValue(book.definitions.get(plan.to) ?? SAME, value, book)
    case 'wrapped':
      return { [plan.name]: expressValue(plan.inside, value, book) }
  }
}

// an open object takes any other's members: the branch that can say all of them is meant
function branchOf(branches: readonly Branch[], value: unknown, book: Translation): Branch | undefined {
  const possible = branches.filter(({ original }) => matchesSchema(original, value, book.originalRoot))
  return (
    possible.find(({ compiled, plan }) =>
      matchesSchema(compiled, expressValue(plan, value, book), book.compiledRoot),
    ) ?? possible[0]
  )
}

type ObjectPlan = Extract<Plan, { kind: 'object' }>

function expressObject(
  { members, extra }: ObjectPlan,
  value: Readonly<Record<string, unknown>>,
  book: Translation,
): unknown {
  const named = [...members].flatMap(([name, { plan, whenAbsent }]): [string, unknown][] => {
    if (Object.hasOwn(value, name)) return [[name, expressValue(plan, value[name], book)]]
    return whenAbsent === 'null' ? [[name, null]] : []
  })
  const others = Object.entries(value).filter(([name]) => !members.has(name))
  if (extra === undefined) return Object.fromEntries([...named, ...others])
  const entries = others.map(([key, part]) => ({
    key,
    value: expressValue(extra.plan, part, book),
  }))
  return Object.fromEntries([...named, [extra.name, entries]])
}

type TuplePlan = Extract<Plan, { kind: 'tuple' }>

function expressTuple(
  { members, rest }: TuplePlan,
  value: readonly unknown[],
  book: Translation,
): unknown {
  const named = [...members].flatMap(([name, { plan, whenAbsent }], index): [string, unknown][] => {
    if (index < value.length) return [[name, expressValue(plan, value[index], book)]]
    return whenAbsent === 'null' ? [[name, null]] : []
  })
  if (rest === undefined) return Object.fromEntries(named)
  const further = value.slice(members.size).map((item) => expressValue(rest.plan, item, book))
  return Object.fromEntries([...named, [rest.name, further]])
}
