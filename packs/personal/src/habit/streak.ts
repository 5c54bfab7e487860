import { addDays, type Day, startOfDay } from '@surehand/dates'
import { type Frequency, isInPeriod, periodOf } from './period.ts'

/**
 * A calendar day and the time zone in which it was lived: the same date is another stretch of time
 * in another zone.
 */
export type PlacedDay = { readonly day: Day; readonly zone: string }

/**
 * A summary of the records of a habit: the last one, the length of the run that ends with it, and
 * the longest run ever.
 */
export type Run = {
  readonly last: PlacedDay | undefined
  readonly length: number
  readonly best: number
}

export const NO_RUN: Run = { last: undefined, length: 0, best: 0 }

const HALF_A_DAY_MS = 43_200_000

/** Extends a run by one record that is later than all others. */
export function extendRun(run: Run, done: PlacedDay, frequency: Frequency): Run {
  const length = lengthAfter(run, done, frequency)
  return { last: done, length, best: Math.max(run.best, length) }
}

function lengthAfter({ last, length }: Run, done: PlacedDay, frequency: Frequency): number {
  if (last === undefined) return 1
  if (isInPeriod(done.day, periodOf(last.day, frequency))) return length
  return isConsecutive(last, done, frequency) ? length + 1 : 1
}

/** The run of all these records, which are sorted and at most one per day. */
export function runOf(records: readonly PlacedDay[], frequency: Frequency): Run {
  return records.reduce((run, done) => extendRun(run, done, frequency), NO_RUN)
}

/**
 * The length of the current streak. It continues as long as the current period, or else the
 * previous one, has a record.
 */
export function currentStreak({ last, length }: Run, now: PlacedDay, frequency: Frequency): number {
  if (last === undefined) return 0
  // A person who flies east across the date line lives a date again that they had already recorded.
  if (last.day >= now.day || isInPeriod(now.day, periodOf(last.day, frequency))) return length
  return isConsecutive(last, now, frequency) ? length : 0
}

/** Whether no period is missing between the two days. */
function isConsecutive(last: PlacedDay, next: PlacedDay, frequency: Frequency): boolean {
  if (frequency === 'daily') return isLaterBy(1, last.day, next.day) || isSkippedBetween(last, next)
  return addDays(periodOf(last.day, frequency).to, 1) === periodOf(next.day, frequency).from
}

const MONTH = 'YYYY-MM-'.length

// Within a month the day numbers are compared, which counts ten years of records ten times as fast.
function isLaterBy(days: number, day: Day, next: Day): boolean {
  if (day.slice(0, MONTH) === next.slice(0, MONTH))
    return Number(next.slice(MONTH)) - Number(day.slice(MONTH)) === days
  return addDays(day, days) === next
}

// A person who flies west across the date line loses a date. A day of which they had less than half
// does not count as missed.
function isSkippedBetween(last: PlacedDay, next: PlacedDay): boolean {
  // Without a change of the zone the person had the whole day. The zone lookups below are
  // expensive, and ten years of records have many gaps.
  if (last.zone === next.zone || !isLaterBy(2, last.day, next.day)) return false
  const theirsMs = startOfDay(next.day, next.zone) - startOfDay(addDays(last.day, 1), last.zone)
  return theirsMs < HALF_A_DAY_MS
}
