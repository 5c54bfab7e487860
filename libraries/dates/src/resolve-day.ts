import { addMonths, type Day, dayOfWeek, daysBetween, isDay } from './civil.ts'
import type { Standpoint } from './words/words.ts'

export type WrittenDay = {
  readonly year?: number
  readonly month: number
  readonly day: number
  readonly weekday?: number
}

export type ResolvedDay = { readonly day: Day; readonly certainty: number }

/**
 * The day that was written: without its year the next one to come, or the last one; a weekday
 * beside it may say which.
 */
export function resolveDay(
  written: WrittenDay,
  { today, prefer }: Standpoint,
): ResolvedDay | undefined {
  if (written.year !== undefined) {
    const day = dayText(written.year, written.month, written.day)
    return day === undefined
      ? undefined
      : { day, certainty: fits(day, written.weekday) ? 0.99 : 0.6 }
  }
  const year = Number(today.slice(0, 4))
  const days = [-2, -1, 0, 1, 2, 3, 4].flatMap(
    (more) => dayText(year + more, written.month, written.day) ?? [],
  )
  const wanted =
    prefer === 'future' ? days.find((day) => day >= today) : days.findLast((day) => day <= today)
  if (wanted === undefined) return undefined
  if (written.weekday === undefined)
    return { day: wanted, certainty: Math.abs(daysBetween(today, wanted)) > 300 ? 0.65 : 0.92 }
  if (fits(wanted, written.weekday)) return { day: wanted, certainty: 0.98 }
  // a weekday that does not fit is a year that was left out, or a slip of the pen
  const others = days.filter((day) => fits(day, written.weekday))
  const nearest = others.toSorted(
    (one, other) => Math.abs(daysBetween(today, one)) - Math.abs(daysBetween(today, other)),
  )[0]
  return { day: nearest ?? wanted, certainty: 0.5 }
}

/** The next day with this number, and with this weekday where it is said. */
export function resolveNumber(
  day: number,
  weekday: number | undefined,
  { today, prefer }: Standpoint,
): ResolvedDay | undefined {
  const first = `${today.slice(0, 8)}01`
  const step = prefer === 'future' ? 1 : -1
  for (let months = 0; months < 24; months++) {
    const month = addMonths(first, months * step)
    const found = dayText(Number(month.slice(0, 4)), Number(month.slice(5, 7)), day)
    if (found === undefined || !fits(found, weekday)) continue
    if (step > 0 ? found >= today : found <= today) {
      const near = Math.abs(daysBetween(today, found)) < 62
      return { day: found, certainty: weekday === undefined ? 0.8 : near ? 0.93 : 0.4 }
    }
  }
  return undefined
}

export function dayText(year: number, month: number, day: number): Day | undefined {
  const text = `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`
  return isDay(text) ? text : undefined
}

function fits(day: Day, weekday: number | undefined): boolean {
  return weekday === undefined || dayOfWeek(day) === weekday
}
