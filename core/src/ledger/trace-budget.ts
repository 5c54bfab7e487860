import type { Clock } from '../ports/clock.ts'
import { Timeline } from './timeline.ts'

// Of a second, the calls of a process that are timed and stored: enough for every page that a
// person looks at, and too few to be felt by the others when there are thousands.
const MOST_PER_SECOND = 100
// Beyond these, the first call of a tenant in a second, so that a tenant that seldom calls is not
// left without times by those that call all the time.
const MOST_FIRST_CALLS = 25

export type OpenTimeline = (tenant: string, startedTicks: number) => Timeline | undefined

/** Opens a timeline for as many calls of a second as are stored, shared fairly between tenants. */
export function createTimelines(clock: Clock): OpenTimeline {
  let secondTicks = Number.NEGATIVE_INFINITY
  let calls = new Map<string, number>()
  let share = MOST_PER_SECOND
  let opened = 0
  let firstCalls = 0

  function beginSecond(ticks: number): void {
    // What was wanted in the last second is the best guess at what is wanted in this one.
    const isNext = ticks - secondTicks < 2_000
    share = isNext ? fairShare([...calls.values()]) : MOST_PER_SECOND
    secondTicks = ticks
    calls = new Map()
    opened = 0
    firstCalls = 0
  }

  function isWithinBudget(callsBefore: number): boolean {
    if (callsBefore < share && opened < MOST_PER_SECOND) {
      opened++
      return true
    }
    return callsBefore === 0 && firstCalls++ < MOST_FIRST_CALLS
  }

  return (tenant, startedTicks) => {
    if (startedTicks - secondTicks >= 1_000) beginSecond(startedTicks)
    const callsBefore = calls.get(tenant) ?? 0
    calls.set(tenant, callsBefore + 1)
    return isWithinBudget(callsBefore) ? new Timeline(startedTicks, clock) : undefined
  }
}

/**
 * How many calls each tenant may have traced. What tenants with few calls leave over is shared
 * between the others.
 */
export function fairShare(wanted: readonly number[]): number {
  let left = MOST_PER_SECOND
  let tenants = wanted.length
  for (const calls of wanted.toSorted((a, b) => a - b)) {
    if (calls * tenants > left) return Math.max(1, Math.floor(left / tenants))
    left -= calls
    tenants--
  }
  return MOST_PER_SECOND
}
