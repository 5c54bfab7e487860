import { addDays, type Day } from '@surehand/dates'
import { type Frequency, periodOf } from './period.ts'

type Success = {
  readonly done: number
  /** Periods that could have been done; the current one counts only once it is done. */
  readonly expected: number
  /** Undefined when no period was expected yet. */
  readonly rate: number | undefined
}

type Span = {
  readonly from: Day
  readonly today: Day
  readonly startedOn: Day
  readonly frequency: Frequency
}

/** The first day that counts: the start of the period in which the span, or the habit, begins. */
export function firstDay({
  from,
  startedOn,
  frequency,
}: Pick<Span, 'from' | 'startedOn' | 'frequency'>): Day {
  return periodOf(from > startedOn ? from : startedOn, frequency).from
}

/**
 * Whether each period of the span was done, the oldest first. Records outside the span are ignored.
 */
export function listPeriods(days: readonly Day[], span: Span): readonly boolean[] {
  const done = new Set(
    days.filter((day) => day <= span.today).map((day) => periodOf(day, span.frequency).from),
  )
  const present = periodOf(span.today, span.frequency).from
  const chances: boolean[] = []
  for (
    let start = firstDay(span);
    start <= present;
    start = addDays(periodOf(start, span.frequency).to, 1)
  ) {
    const isDone = done.has(start)
    if (isDone || start !== present) chances.push(isDone)
  }
  return chances
}

export function measureSuccess(days: readonly Day[], span: Span): Success {
  return countDone(listPeriods(days, span))
}

export function countDone(chances: readonly boolean[]): Success {
  const done = chances.filter(Boolean).length
  return {
    done,
    expected: chances.length,
    rate: chances.length === 0 ? undefined : done / chances.length,
  }
}
