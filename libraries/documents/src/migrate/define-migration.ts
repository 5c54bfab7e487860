import { guardJson } from '@surehand/core/host'
import { fieldName, toToolError } from '@surehand/core/internal'
import type { z } from 'zod'
import type { MigrationStrategy } from './documents.ts'
import { valuesAt } from './dot-path.ts'
import { flawsOf } from './flaws.ts'
import { type Plan, planOf } from './plan.ts'
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
