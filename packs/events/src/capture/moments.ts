import { addDays, atTime, startOfDay } from '@surehand/dates'

/** From its first instant to the one it is over at. */
export type Stretch = { readonly fromMs: number; readonly toMs: number; readonly isAllDay: boolean }

const HOUR_MS = 3_600_000

type Timed = {
  readonly startTime: string
  readonly endTime?: string | undefined
  readonly timezone: string
}

/** When an event is, as instants; without an end an hour, or its day. */
export function stretchOf({ startTime, endTime, timezone }: Timed): Stretch {
  const isAllDay = isDate(startTime)
  const fromMs = instantOf(startTime, timezone)
  const toMs = endTime === undefined ? undefined : instantOf(endTime, timezone)
  if (toMs !== undefined && toMs > fromMs) return { fromMs, toMs, isAllDay }
  return {
    fromMs,
    toMs: isAllDay ? startOfDay(addDays(startTime, 1), timezone) : fromMs + HOUR_MS,
    isAllDay,
  }
}

/** A date is its first instant there; a time without an offset is read there. */
export function instantOf(text: string, timeZone: string): number {
  if (isDate(text)) return startOfDay(text, timeZone)
  if (/(?:Z|[+-]\d{2}:?\d{2})$/i.test(text)) return Date.parse(text)
  return atTime(text.slice(0, 10), text.slice(11, 16), timeZone)
}

export function isDate(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(text)
}

export function meet(one: Stretch, other: Stretch): boolean {
  return one.fromMs < other.toMs && other.fromMs < one.toMs
}
