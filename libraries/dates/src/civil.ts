import { Temporal } from 'temporal-polyfill'

/** A day of the calendar, `YYYY-MM-DD`; it belongs to no time zone. */
export type Day = string
/** A time on the wall, `HH:MM`. */
export type WallTime = string

/** The day it is somewhere. */
export function dayOf(atMs: number, timeZone: string): Day {
  return toZonedDateTime(atMs, timeZone).toPlainDate().toString()
}

/** The time on the wall somewhere. */
export function timeOf(atMs: number, timeZone: string): WallTime {
  return toZonedDateTime(atMs, timeZone).toPlainTime().toString({ smallestUnit: 'minute' })
}

/** How far the clocks somewhere are ahead of UTC. */
export function offsetMinutes(atMs: number, timeZone: string): number {
  return Math.trunc(toZonedDateTime(atMs, timeZone).offsetNanoseconds / 60e9)
}

export function addDays(day: Day, days: number): Day {
  return Temporal.PlainDate.from(day).add({ days }).toString()
}

/** A month that is too short ends it: 31 January and a month is 28 February. */
export function addMonths(day: Day, months: number): Day {
  return Temporal.PlainDate.from(day).add({ months }).toString()
}

/** 1 is Monday, 7 is Sunday. */
export function dayOfWeek(day: Day): number {
  return Temporal.PlainDate.from(day).dayOfWeek
}

/** From the first to the second; negative when the second is earlier. */
export function daysBetween(first: Day, second: Day): number {
  return Temporal.PlainDate.from(first).until(Temporal.PlainDate.from(second), {
    largestUnit: 'day',
  }).days
}

export function daysInMonth(day: Day): number {
  return Temporal.PlainDate.from(day).daysInMonth
}

// beyond 9999 a day is written with a sign and no longer sorts as text: nothing that reckons with
// days may come near it
const FIRST_DAY: Day = '1900-01-01'
const LAST_DAY: Day = '2200-12-31'

/** A day that is in the calendar, of the years 1900 to 2200. */
export function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text) || text < FIRST_DAY || text > LAST_DAY) return false
  return isReal(() => Temporal.PlainDate.from(text, { overflow: 'reject' }))
}

/** The ISO week a day is in, and whose year that week belongs to. */
export function weekOf(day: Day): { readonly year: number; readonly week: number } {
  const date = Temporal.PlainDate.from(day)
  return { year: date.yearOfWeek ?? date.year, week: date.weekOfYear ?? 1 }
}

/** Its first instant; where midnight is skipped, the first that exists. */
export function startOfDay(day: Day, timeZone: string): number {
  return Temporal.PlainDate.from(day).toZonedDateTime({ timeZone }).epochMilliseconds
}

/**
 * A time that is skipped moves forward with the clocks; of one that comes twice it is the earlier.
 */
export function atTime(day: Day, time: WallTime, timeZone: string): number {
  const wall = Temporal.PlainDate.from(day).toPlainDateTime(Temporal.PlainTime.from(time))
  return wall.toZonedDateTime(timeZone, { disambiguation: 'compatible' }).epochMilliseconds
}

/** A name, not an offset: no calendar takes +05:30 for a place. */
export function isTimeZone(name: string): boolean {
  return /^[a-z]/i.test(name) && isReal(() => toZonedDateTime(0, name))
}

/** `+02:00`, as it is there and then. */
export function offsetText(atMs: number, timeZone: string): string {
  return toZonedDateTime(atMs, timeZone).offset
}

/** `2026-05-12T20:00:00+02:00`: the instant as the clocks there show it. */
export function instantText(atMs: number, timeZone: string): string {
  return toZonedDateTime(atMs, timeZone).toString({ timeZoneName: 'never', smallestUnit: 'second' })
}

function toZonedDateTime(atMs: number, timeZone: string): Temporal.ZonedDateTime {
  return Temporal.Instant.fromEpochMilliseconds(Math.floor(atMs)).toZonedDateTimeISO(timeZone)
}

function isReal(make: () => unknown): boolean {
  try {
    make()
    return true
  } catch (error) {
    if (error instanceof RangeError) return false
    throw error
  }
}
