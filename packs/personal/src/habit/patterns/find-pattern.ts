import type { Day } from '@surehand/dates'
import type { Habit } from '../habit.ts'
import { countDone, firstDay, listPeriods } from '../success.ts'
import type { DoneDay } from './records.ts'
import { extremeTimes, type PartOfDay, type TimeShare, timeShares } from './times.ts'
import { ENOUGH_CHANCES, findTrend, type Trend } from './trend.ts'
import { extremeWeekdays, type Weekday, type WeekdayShare, weekdayShares } from './weekdays.ts'

/**
 * What the records of a habit over some weeks or months show. Fields without enough data are left
 * out.
 */
export type Pattern = {
  readonly completions: number
  readonly expected: number
  readonly success_rate?: number
  readonly enough_data: boolean
  readonly weekdays: WeekdayShare[]
  readonly best_weekday?: Weekday
  readonly worst_weekday?: Weekday
  readonly times: TimeShare[]
  readonly best_time?: PartOfDay
  readonly worst_time?: PartOfDay
  readonly trend?: Trend
  readonly average_quality?: number
}

export function findPattern(
  habit: Habit,
  records: readonly DoneDay[],
  { from, today }: { readonly from: Day; readonly today: Day },
): Pattern {
  const span = { from, today, startedOn: habit.startedOn, frequency: habit.frequency }
  const first = from > habit.startedOn ? from : habit.startedOn
  const chances = listPeriods(
    records.map(({ day }) => day),
    span,
  )
  const { done, expected, rate } = countDone(chances)
  const within = records.filter(({ day }) => day >= firstDay(span) && day <= today)
  const weekdays = weekdayShares(
    within.map(({ day }) => day),
    { from: first, today },
  )
  const times = timeShares(within)
  const byWeekday = habit.frequency === 'daily' ? extremeWeekdays(weekdays) : {}
  const byTime = extremeTimes(times)
  const trend = findTrend(chances, habit.frequency)
  const qualities = within.flatMap(({ quality }) => (quality === null ? [] : [quality]))
  return {
    completions: done,
    expected,
    ...(rate === undefined ? {} : { success_rate: rate }),
    enough_data: expected >= ENOUGH_CHANCES[habit.frequency],
    weekdays,
    ...(byWeekday.best === undefined ? {} : { best_weekday: byWeekday.best }),
    ...(byWeekday.worst === undefined ? {} : { worst_weekday: byWeekday.worst }),
    times,
    ...(byTime.best === undefined ? {} : { best_time: byTime.best }),
    ...(byTime.worst === undefined ? {} : { worst_time: byTime.worst }),
    ...(trend === undefined ? {} : { trend }),
    ...(qualities.length === 0
      ? {}
      : { average_quality: qualities.reduce((sum, one) => sum + one, 0) / qualities.length }),
  }
}
