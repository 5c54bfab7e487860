import { isRecord } from '@surehand/core/internal'
import { fits } from './fits.ts'
import { type Branch, type Plan, type PlanBook, SAME } from './plan.ts'

/** A value of the original schema as a model would send it under the compiled one: what examples are shown as. */
export function express(book: PlanBook, value: unknown): unknown {
  return expressSchema(book.plan, value, book)
}

function expressSchema(plan: Plan, value: unknown, book: PlanBook): unknown {
  switch (plan.kind) {
    case 'same':
      return value
    case 'list':
      return Array.isArray(value)
        ? value.map((item) => expressSchema(plan.items, item, book))
        : value
    case 'object':
      return isRecord(value) ? expressedObject(plan, value, book) : value
    case 'tuple':
      return Array.isArray(value) ? expressedTuple(plan, value, book) : value
    case 'union':
      return expressSchema(branchOf(plan.branches, value, book)?.plan ?? SAME, value, book)
    case 'reference':
      return expressSchema(book.definitions.get(plan.to) ?? SAME, value, book)
    case 'wrapped':
      return { [plan.name]: expressSchema(plan.inside, value, book) }
  }
}

// an open object takes any other's members: the branch that can say all of them is meant
function branchOf(branches: readonly Branch[], value: unknown, book: PlanBook): Branch | undefined {
  const possible = branches.filter(({ original }) => fits(original, value, book.originalRoot))
  return (
    possible.find(({ compiled, plan }) =>
      fits(compiled, expressSchema(plan, value, book), book.compiledRoot),
    ) ?? possible[0]
  )
}

type ObjectPlan = Extract<Plan, { kind: 'object' }>

function expressedObject(
  { members, extra }: ObjectPlan,
  value: Readonly<Record<string, unknown>>,
  book: PlanBook,
): unknown {
  const named = [...members].flatMap(([name, { plan, whenAbsent }]): [string, unknown][] => {
    if (Object.hasOwn(value, name)) return [[name, expressSchema(plan, value[name], book)]]
    return whenAbsent === 'null' ? [[name, null]] : []
  })
  const others = Object.entries(value).filter(([name]) => !members.has(name))
  if (extra === undefined) return Object.fromEntries([...named, ...others])
  const entries = others.map(([key, part]) => ({
    key,
    value: expressSchema(extra.plan, part, book),
  }))
  return Object.fromEntries([...named, [extra.name, entries]])
}

type TuplePlan = Extract<Plan, { kind: 'tuple' }>

function expressedTuple(
  { members, rest }: TuplePlan,
  value: readonly unknown[],
  book: PlanBook,
): unknown {
  const named = [...members].flatMap(([name, { plan, whenAbsent }], index): [string, unknown][] => {
    if (index < value.length) return [[name, expressSchema(plan, value[index], book)]]
    return whenAbsent === 'null' ? [[name, null]] : []
  })
  if (rest === undefined) return Object.fromEntries(named)
  const further = value.slice(members.size).map((item) => expressSchema(rest.plan, item, book))
  return Object.fromEntries([...named, [rest.name, further]])
}
