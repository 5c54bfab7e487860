import { addDays, type Day } from '@surehand/dates'
import { type Frequency, periodOf } from './period.ts'

export type Success = {
  readonly done: number
  /** Periods that had their chance: the present one counts only once it is done. */
  readonly expected: number
  /** Undefined where nothing was expected yet. */
  readonly rate: number | undefined
}

export type Span = {
  readonly from: Day
  readonly today: Day
  readonly startedOn: Day
  readonly frequency: Frequency
}

/** Where the counting begins: with the whole period in which the span, or the habit, begins. */
export function firstDay({
  from,
  startedOn,
  frequency,
}: Pick<Span, 'from' | 'startedOn' | 'frequency'>): Day {
  return periodOf(from > startedOn ? from : startedOn, frequency).from
}

/** Each period of a span that had its chance, the oldest first: was it done? Records outside of the span do not matter. */
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
