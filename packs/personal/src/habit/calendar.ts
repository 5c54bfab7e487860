import { addDays, type Day } from '@surehand/dates'
import type { Habit } from './habit.ts'
import { periodOf } from './period.ts'

export type CalendarDay = {
  readonly date: Day
  /** `open` is today, not yet done; `rest` is a day on which a weekly or monthly habit need not be done. */
  readonly state: 'done' | 'missed' | 'open' | 'rest' | 'before' | 'ahead'
  readonly quality?: number
}
export type CalendarWeek = { readonly week_start: Day; readonly days: CalendarDay[] }

const WEEKS = 12
const DAYS = Array.from({ length: 7 }, (_, index) => index)

/** Where the calendar begins: on the Monday eleven weeks before this one. */
export function calendarStart(today: Day): Day {
  return addDays(periodOf(today, 'weekly').from, -7 * (WEEKS - 1))
}

/** The last twelve weeks of a habit, from Monday to Sunday, for charts: what each day was. */
export function calendarOf(
  { frequency, startedOn }: Pick<Habit, 'frequency' | 'startedOn'>,
  qualities: ReadonlyMap<Day, number | null>,
  today: Day,
): CalendarWeek[] {
  const start = calendarStart(today)
  const dayOn = (date: Day): CalendarDay => {
    const quality = qualities.get(date)
    if (quality !== undefined)
      return { date, state: 'done', ...(quality === null ? {} : { quality }) }
    if (date > today) return { date, state: 'ahead' }
    if (date < startedOn) return { date, state: 'before' }
    if (frequency !== 'daily') return { date, state: 'rest' }
    return { date, state: date === today ? 'open' : 'missed' }
  }
  return Array.from({ length: WEEKS }, (_, week) => {
    const monday = addDays(start, 7 * week)
    return { week_start: monday, days: DAYS.map((index) => dayOn(addDays(monday, index))) }
  })
}
