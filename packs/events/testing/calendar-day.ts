/** A date, YYYY-MM-DD, without a time zone. */
export type CalendarDay = string

const DAY_MS = 86_400_000

export function addDays(day: CalendarDay, count: number): CalendarDay {
  return new Date(Date.parse(`${day}T00:00:00Z`) + count * DAY_MS).toISOString().slice(0, 10)
}

/** The day of the week: 1 is Monday, 7 is Sunday. */
export function isoWeekday(day: CalendarDay): number {
  return new Date(`${day}T00:00:00Z`).getUTCDay() || 7
}

export function dateParts(day: CalendarDay): {
  readonly year: number
  readonly month: number
  readonly date: number
} {
  const [year = 0, month = 0, date = 0] = day.split('-').map(Number)
  return { year, month, date }
}

/** The next such weekday after this day, never the day itself. */
export function nextWeekday(after: CalendarDay, weekday: number): CalendarDay {
  return addDays(after, ((weekday - isoWeekday(after) + 6) % 7) + 1)
}

/** The first such weekday of this month if it is in the future, else of the next month. */
export function nextFirstWeekday(after: CalendarDay, weekday: number): CalendarDay {
  const { year, month } = dateParts(after)
  const inMonth = (first: CalendarDay): CalendarDay => nextWeekday(addDays(first, -1), weekday)
  const here = inMonth(`${after.slice(0, 7)}-01`)
  if (here > after) return here
  const next =
    month === 12 ? `${year + 1}-01-01` : `${year}-${String(month + 1).padStart(2, '0')}-01`
  return inMonth(next)
}
