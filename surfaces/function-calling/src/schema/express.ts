import { isRecord } from '@surehand/core/internal'
import { matchesSchema } from './matches-schema.ts'
import { type Branch, type Plan, SAME, type Translation } from './plan.ts'

/**
 * Translates a value of the original schema to the compiled one, as examples are shown to the
 * model.
 */
export function express(translation: Translation, value: unknown): unknown {
  return expressValue(translation.plan, value, translation)
}

function expressValue(plan: Plan, value: unknown, translation: Translation): unknown {
  switch (plan.kind) {
    case 'same':
      return value
    case 'list':
      return Array.isArray(value)
        ? value.map((item) => expressValue(plan.items, item, translation))
        : value
    case 'object':
      return isRecord(value) ? expressObject(plan, value, translation) : value
    case 'tuple':
      return Array.isArray(value) ? expressTuple(plan, value, translation) : value
    case 'union':
      return expressValue(
        branchOf(plan.branches, value, translation)?.plan ?? SAME,
        value,
        translation,
      )
    case 'reference':
      return expressValue(translation.definitions.get(plan.to) ?? SAME, value, translation)
    case 'wrapped':
      return { [plan.name]: expressValue(plan.inside, value, translation) }
  }
}

// An open object accepts the members of other branches, so that the branch that can express all of
// them is preferred.
function branchOf(
  branches: readonly Branch[],
  value: unknown,
  translation: Translation,
): Branch | undefined {
  const possible = branches.filter(({ original }) =>
    matchesSchema(original, value, translation.originalRoot),
  )
  return (
    possible.find(({ compiled, plan }) =>
      matchesSchema(compiled, expressValue(plan, value, translation), translation.compiledRoot),
    ) ?? possible[0]
  )
}

type ObjectPlan = Extract<Plan, { kind: 'object' }>

function expressObject(
  { members, extra }: ObjectPlan,
  value: Readonly<Record<string, unknown>>,
  translation: Translation,
): unknown {
  const named = [...members].flatMap(([name, { plan, whenAbsent }]): [string, unknown][] => {
    if (Object.hasOwn(value, name)) return [[name, expressValue(plan, value[name], translation)]]
    return whenAbsent === 'null' ? [[name, null]] : []
  })
  const others = Object.entries(value).filter(([name]) => !members.has(name))
  if (extra === undefined) return Object.fromEntries([...named, ...others])
  const entries = others.map(([key, part]) => ({
    key,
    value: expressValue(extra.plan, part, translation),
  }))
  return Object.fromEntries([...named, [extra.name, entries]])
}

type TuplePlan = Extract<Plan, { kind: 'tuple' }>

function expressTuple(
  { members, rest }: TuplePlan,
  value: readonly unknown[],
  translation: Translation,
): unknown {
  const named = [...members].flatMap(([name, { plan, whenAbsent }], index): [string, unknown][] => {
    if (index < value.length) return [[name, expressValue(plan, value[index], translation)]]
    return whenAbsent === 'null' ? [[name, null]] : []
  })
  if (rest === undefined) return Object.fromEntries(named)
  const further = value
    .slice(members.size)
    .map((item) => expressValue(rest.plan, item, translation))
  return Object.fromEntries([...named, [rest.name, further]])
}
