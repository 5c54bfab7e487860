import { guardJson } from '@surehand/core/host'
import { fieldName, toToolError } from '@surehand/core/internal'
import type { z } from 'zod'
import type { MigrationStrategy } from './documents.ts'
import { beginsWithKey, EACH, eachCount, overlap, type Path, valuesAt } from './dot-path.ts'
import { type FieldPair, pairOf, v1FieldOf } from './field-mapping.ts'
import { isFurther } from './phases.ts'
import { type Plan, planOf } from './plan.ts'
import { pairsOf } from './rule-step.ts'
import { StrategyForm, ToolsForm } from './strategy-form.ts'

/** A migration that was checked: the strategy, frozen, and each v1 function's way. */
export type Migration = {
  readonly strategy: MigrationStrategy
  readonly plans: ReadonlyMap<string, Plan>
}

/**
 * Loads a migration strategy: data in document 004's form. What is wrong with it is refused with
 * its path.
 * @example defineMigration(strategy, { tools: { create_habit: 'habit.create' } })
 */
export function defineMigration(
  strategy: unknown,
  options: { readonly tools: Readonly<Record<string, string>> },
): Migration {
  try {
    return load(strategy, options.tools)
  } catch (cause) {
    throw new TypeError(
      `The migration can't be loaded: ${cause instanceof Error ? cause.message : String(cause)}`,
      { cause },
    )
  }
}

function load(strategy: unknown, tools: unknown): Migration {
  refuseKeys({ strategy, tools })
  const form = parse(StrategyForm, strategy, [])
  const names = parse(ToolsForm, tools, ['tools'])
  const flaws = flawsOf(form, names)
  if (flaws.length > 0) throw new TypeError(formatFlaws(flaws))
  const plans = new Map(
    Object.entries(names).map(([v1Tool, v2Tool]) => [v1Tool, planOf(form, v1Tool, v2Tool)]),
  )
  return Object.freeze({ strategy: deepFreeze(form), plans })
}

// zod drops a __proto__ key without a word
function refuseKeys(data: Record<string, unknown>): void {
  try {
    guardJson(data, Number.POSITIVE_INFINITY)
  } catch (cause) {
    const error = toToolError(cause)
    const [field] = valuesAt(error.details, ['validation_errors', 0, 'field'])
    throw new TypeError(`${field?.value ?? 'the strategy'}: ${error.message}`, { cause })
  }
}

function parse<T>(schema: z.ZodType<T>, value: unknown, under: readonly PropertyKey[]): T {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  throw new TypeError(
    formatFlaws(
      parsed.error.issues.map((issue) => ({
        path: [...under, ...issue.path],
        message: problemOf(issue),
      })),
    ),
  )
}

// a record's bad key says why only one level below
function problemOf(issue: z.core.$ZodIssue): string {
  return issue.code === 'invalid_key'
    ? issue.issues.map((inner) => inner.message).join(', ')
    : issue.message
}

function formatFlaws(
  flaws: readonly { readonly path: readonly PropertyKey[]; readonly message: string }[],
): string {
  return flaws
    .map(({ path, message }) => `${fieldName(path) || 'the strategy'}: ${message}`)
    .join('; ')
}

function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value
  for (const member of Object.values(value)) deepFreeze(member)
  return Object.freeze(value)
}

/** Flaws that no single entry shows: two entries that conflict, and names that do not exist. */
export type Flaw = { readonly path: readonly PropertyKey[]; readonly message: string }

function flawsOf(strategy: StrategyForm, tools: Readonly<Record<string, string>>): readonly Flaw[] {
  return [
    ...mappingFlaws(strategy),
    ...ruleFlaws(strategy),
    ...timelineFlaws(strategy),
    ...nameFlaws(strategy, tools),
  ]
}

type Entry = FieldPair & { readonly path: readonly PropertyKey[]; readonly of: string | undefined }

function mappingFlaws(strategy: StrategyForm): readonly Flaw[] {
  const entries = strategy.field_mappings.map((mapping, index) => ({
    ...pairOf(mapping),
    path: ['field_mappings', index],
    of: v1FieldOf(mapping).of,
  }))
  return entries.flatMap((entry, index) =>
    pairFlaws(entry, entries.slice(0, index), ['v1_field', 'v2_field']),
  )
}

function ruleFlaws(strategy: StrategyForm): readonly Flaw[] {
  return strategy.transformation_rules.flatMap((rule, index) => {
    const path = ['transformation_rules', index, 'rule_definition']
    const entries = pairsOf(rule).map((pair) => ({ ...pair, path, of: undefined }))
    return entries.flatMap((entry, at) => pairFlaws(entry, entries.slice(0, at), []))
  })
}

/**
 * A move is one to one: otherwise one value would be lost on the way there, or not find its way
 * back.
 */
function pairFlaws(
  entry: Entry,
  earlier: readonly Entry[],
  [v1Name, v2Name]: readonly string[],
): readonly Flaw[] {
  const flaws: Flaw[] = []
  const at = (name: string | undefined) => (name === undefined ? entry.path : [...entry.path, name])
  const rivals = earlier.filter(
    (other) => other.of === undefined || entry.of === undefined || other.of === entry.of,
  )
  if (rivals.some((other) => overlap(other.v1, entry.v1)))
    flaws.push({ path: at(v1Name), message: `"${formatPath(entry.v1)}" is moved twice` })
  if (rivals.some((other) => overlap(other.v2, entry.v2)))
    flaws.push({
      path: at(v2Name),
      message: `"${formatPath(entry.v2)}" is the target of two moves`,
    })
  if (eachCount(entry.v1) !== eachCount(entry.v2))
    flaws.push({ path: at(v2Name), message: 'must have as many [] as the v1 field' })
  if (beginsWithKey(entry.v1) !== beginsWithKey(entry.v2))
    flaws.push({ path: at(v2Name), message: 'must begin with a key, as the v1 field does' })
  return flaws
}

/** A phase never ends early: a later, milder action in the timeline would never take effect. */
function timelineFlaws({ deprecation_timeline: phases }: StrategyForm): readonly Flaw[] {
  return phases.flatMap((phase, index) =>
    phase.actions.flatMap((action, at) => {
      const before = phases.slice(0, index).flatMap((earlier) => earlier.actions)
      const further = before.find((one) => one.target === action.target && isFurther(one, action))
      if (further === undefined) return []
      const message = `must not go back: ${action.target} has come to ${further.action_type} before`
      return [{ path: ['deprecation_timeline', index, 'actions', at, 'action_type'], message }]
    }),
  )
}

function formatPath(path: Path): string {
  return fieldName(path).replaceAll(`.${EACH}`, EACH)
}

/**
 * A name without `*` that no tool has is a slip of the pen: the rule would never run, the function
 * never be switched off.
 */
function nameFlaws(
  strategy: StrategyForm,
  tools: Readonly<Record<string, string>>,
): readonly Flaw[] {
  const renamed = strategy.transformation_rules.flatMap((rule) =>
    rule.rule_type === 'rename' ? [rule.rule_definition.tool] : [],
  )
  const known = new Set([...Object.keys(tools), ...Object.values(tools), ...renamed])
  const isUnknown = (name: string) => !name.includes('*') && !known.has(name)
  const message = 'no v1 function or v2 tool of this migration has that name'
  const rules = strategy.transformation_rules.flatMap((rule, index) =>
    rule.applies_to.flatMap((name, at) =>
      isUnknown(name) ? [{ path: ['transformation_rules', index, 'applies_to', at], message }] : [],
    ),
  )
  const actions = strategy.deprecation_timeline.flatMap((phase, index) =>
    phase.actions.flatMap((action, at) =>
      isUnknown(action.target)
        ? [{ path: ['deprecation_timeline', index, 'actions', at, 'target'], message }]
        : [],
    ),
  )
  const mappings = strategy.field_mappings.flatMap((mapping, index) => {
    const { of } = v1FieldOf(mapping)
    return of !== undefined && !Object.hasOwn(tools, of)
      ? [{ path: ['field_mappings', index, 'v1_field'], message }]
      : []
  })
  return [...mappings, ...rules, ...actions]
}
