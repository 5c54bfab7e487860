import { matches } from '@surehand/core/host'
import type { DeprecationAction, MigrationStrategy, MigrationWarning } from './documents.ts'

/** How far the end of v1 has come for one function; `none` is before its first phase. */
export type PhaseKind = MigrationWarning['phase']

const ORDER: readonly PhaseKind[] = ['none', 'warn', 'redirect', 'disable', 'remove']
const DAY_MS = 86_400_000

/** What a phase does to one function, from its first moment on. */
export type Scheduled = { readonly startsAtMs: number; readonly action: DeprecationAction }

/** When a date begins: a day at midnight UTC. */
export function startOf(date: string): number {
  return Date.parse(date)
}

/** When a date is over: a day at its end, a moment at once. */
export function endOf(date: string): number {
  return startOf(date) + (date.length === 'YYYY-MM-DD'.length ? DAY_MS : 0)
}

/**
 * The actions that concern a function by any of its names: of each phase the furthest, and of
 * equals the first.
 */
export function scheduleOf(
  strategy: MigrationStrategy,
  names: readonly string[],
): readonly Scheduled[] {
  return strategy.deprecation_timeline.flatMap((phase) => {
    const concerning = phase.actions.filter((action) =>
      names.some((name) => matches(action.target, name)),
    )
    const action = concerning.find((one) => concerning.every((other) => !isFurther(other, one)))
    return action === undefined ? [] : [{ startsAtMs: startOf(phase.start_date), action }]
  })
}

/** The phase that applies now. In a gap between phases the last one stays in force. */
export function actionAt(
  schedule: readonly Scheduled[],
  nowMs: number,
): DeprecationAction | undefined {
  let current: DeprecationAction | undefined
  for (const { startsAtMs, action } of schedule) {
    if (startsAtMs <= nowMs && (current === undefined || !isFurther(current, action)))
      current = action
  }
  return current
}

/** Is one nearer to the end of v1 than the other? */
export function isFurther(one: DeprecationAction, other: DeprecationAction): boolean {
  return ORDER.indexOf(one.action_type) > ORDER.indexOf(other.action_type)
}

/** The phase of a v1 function (or of whatever an action's target names) at a moment. */
export function phaseAt(strategy: MigrationStrategy, target: string, nowMs: number): PhaseKind {
  return actionAt(scheduleOf(strategy, [target]), nowMs)?.action_type ?? 'none'
}
