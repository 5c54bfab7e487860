import { addDays, atTime, startOfDay } from '@surehand/dates'

/** A span of time; the end is exclusive. */
export type TimeSpan = {
  readonly fromMs: number
  readonly toMs: number
  readonly isAllDay: boolean
}

const HOUR_MS = 3_600_000

type Timed = {
  readonly startTime: string
  readonly endTime?: string | undefined
  readonly timezone: string
}

/** The span of an event; without an end it takes an hour, or its day. */
export function eventSpan({ startTime, endTime, timezone }: Timed): TimeSpan {
  const isAllDay = isDate(startTime)
  const fromMs = parseInstant(startTime, timezone)
  const toMs = endTime === undefined ? undefined : parseInstant(endTime, timezone)
  if (toMs !== undefined && toMs > fromMs) return { fromMs, toMs, isAllDay }
  return {
    fromMs,
    toMs: isAllDay ? startOfDay(addDays(startTime, 1), timezone) : fromMs + HOUR_MS,
    isAllDay,
  }
}

/** The instant of a time; a date is the start of its day, a time without an offset is local. */
export function parseInstant(text: string, timeZone: string): number {
  if (isDate(text)) return startOfDay(text, timeZone)
  if (/(?:Z|[+-]\d{2}:?\d{2})$/i.test(text)) return Date.parse(text)
  return atTime(text.slice(0, 10), text.slice(11, 16), timeZone)
}

export function isDate(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(text)
}

export function overlap(one: TimeSpan, other: TimeSpan): boolean {
  return one.fromMs < other.toMs && other.fromMs < one.toMs
}
