import { addDays, type Day, startOfDay } from '@surehand/dates'
import { type Frequency, isInPeriod, periodOf } from './period.ts'

/** A day of the calendar, and where the person was: the same date is another stretch of time elsewhere. */
export type PlacedDay = { readonly day: Day; readonly zone: string }

/** How a habit's records hang together: the last one, how many periods in a row lead to it, and the most there ever were. */
export type Run = {
  readonly last: PlacedDay | undefined
  readonly length: number
  readonly best: number
}

export const NO_RUN: Run = { last: undefined, length: 0, best: 0 }

const HALF_A_DAY_MS = 43_200_000

/** The run with one more record, which is later than all before. */
export function extendRun(run: Run, done: PlacedDay, frequency: Frequency): Run {
  const length = lengthAfter(run, done, frequency)
  return { last: done, length, best: Math.max(run.best, length) }
}

function lengthAfter({ last, length }: Run, done: PlacedDay, frequency: Frequency): number {
  if (last === undefined) return 1
  if (isInPeriod(done.day, periodOf(last.day, frequency))) return length
  return isConsecutive(last, done, frequency) ? length + 1 : 1
}

/** The run of all these records, from the first to the last, one a day. */
export function runOf(records: readonly PlacedDay[], frequency: Frequency): Run {
  return records.reduce((run, done) => extendRun(run, done, frequency), NO_RUN)
}

/** How long the streak is now: as long as this period, or else the one before it, has a record, it lives. */
export function currentStreak({ last, length }: Run, now: PlacedDay, frequency: Frequency): number {
  if (last === undefined) return 0
  // whoever flies east over the date line finds a day again that they had already done
  if (last.day >= now.day || isInPeriod(now.day, periodOf(last.day, frequency))) return length
  return isConsecutive(last, now, frequency) ? length : 0
}

/** Is nothing missing between the two? */
function isConsecutive(last: PlacedDay, next: PlacedDay, frequency: Frequency): boolean {
  if (frequency === 'daily') return isLaterBy(1, last.day, next.day) || isSkippedBetween(last, next)
  return addDays(periodOf(last.day, frequency).to, 1) === periodOf(next.day, frequency).from
}

const MONTH = 'YYYY-MM-'.length

// within a month the numbers tell: ten years of records are counted in a tenth of the time
function isLaterBy(days: number, day: Day, next: Day): boolean {
  if (day.slice(0, MONTH) === next.slice(0, MONTH))
    return Number(next.slice(MONTH)) - Number(day.slice(MONTH)) === days
  return addDays(day, days) === next
}

// whoever flies west over the date line loses a date: a day of which less than half was theirs is not missed
function isSkippedBetween(last: PlacedDay, next: PlacedDay): boolean {
  // who stayed had the whole day, and asking the clocks is dear: ten years have many gaps
  if (last.zone === next.zone || !isLaterBy(2, last.day, next.day)) return false
  const theirsMs = startOfDay(next.day, next.zone) - startOfDay(addDays(last.day, 1), last.zone)
  return theirsMs < HALF_A_DAY_MS
}
