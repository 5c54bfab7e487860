import type { Condition } from '../call/caller.ts'
import { readCondition, type TimeWindow } from '../define/condition.ts'
import type { Asked } from './attributes.ts'
import { isOpenAt } from './time-window.ts'
import { wallMinute } from './zone-time.ts'

/** What a list of conditions comes to. */
export type Terms = {
  readonly windows: readonly TimeWindow[]
  readonly limits: readonly { readonly calls: number; readonly windowMs: number }[]
  readonly approval: 'consent' | 'admin' | undefined
  /** How much is asked of whoever uses it: a limit counts 1, a consent 2, an administrator 4. */
  readonly burden: number
}

const NO_TERMS: Terms = { windows: [], limits: [], approval: undefined, burden: 0 }

const known = new WeakMap<readonly Condition[], Terms>()

/** Reads conditions, once a list; throws a TypeError that names the one that nobody could keep. */
export function termsOf(conditions: readonly Condition[] | undefined): Terms {
  if (conditions === undefined) return NO_TERMS
  const earlier = known.get(conditions)
  if (earlier !== undefined) return earlier
  const fresh = readTerms(conditions)
  known.set(conditions, fresh)
  return fresh
}

function readTerms(conditions: readonly Condition[]): Terms {
  const read = conditions.map(readCondition)
  const limits = read.flatMap((one) =>
    one.type === 'rate_limit' ? [{ calls: one.calls, windowMs: one.windowMs }] : [],
  )
  const needsAdmin = read.some((one) => one.type === 'admin_approval')
  const needsConsent = read.some((one) => one.type === 'user_consent')
  return {
    windows: read.flatMap((one) => (one.type === 'time_restriction' ? [one.window] : [])),
    limits,
    approval: needsAdmin ? 'admin' : needsConsent ? 'consent' : undefined,
    burden: (limits.length > 0 ? 1 : 0) + (needsConsent ? 2 : 0) + (needsAdmin ? 4 : 0),
  }
}

/** Are all the windows open at the call's moment? */
export function areOpen(windows: readonly TimeWindow[], asked: Asked): boolean {
  return windows.every((window) =>
    isOpenAt(window, wallMinute(asked.startedAt, zoneOf(window, asked))),
  )
}

/** The zone a window is judged in: its own, else the caller's, else UTC. */
export function zoneOf(window: TimeWindow, asked: Asked): string {
  return window.timeZone ?? asked.caller.timeZone ?? 'UTC'
}
