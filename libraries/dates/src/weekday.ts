import { addDays, type Day, dayOfWeek, daysInMonth } from './civil.ts'

/** The first such day after this one. */
export function coming(today: Day, weekday: number): Day {
  return addDays(today, ((weekday - dayOfWeek(today) + 6) % 7) + 1)
}

/** The last such day before this one. */
export function lastWeekday(today: Day, weekday: number): Day {
  return addDays(today, -(((dayOfWeek(today) - weekday + 6) % 7) + 1))
}

/** That day of this week, or of the week so many later; weeks begin on Monday. */
export function inWeek(today: Day, weekday: number, later: number): Day {
  return addDays(today, weekday - dayOfWeek(today) + 7 * later)
}

/** Today, where today is one, else the first to come. */
export function onOrAfter(day: Day, weekday: number): Day {
  return addDays(day, (weekday - dayOfWeek(day) + 7) % 7)
}

/** The nth such day of the month that begins on this day; the last one is -1. */
export function nthOf(month: Day, weekday: number, nth: number): Day | undefined {
  const last = addDays(month, daysInMonth(month) - 1)
  if (nth < 0) return addDays(last, -((dayOfWeek(last) - weekday + 7) % 7))
  const day = addDays(onOrAfter(month, weekday), 7 * (nth - 1))
  return day <= last ? day : undefined
}
