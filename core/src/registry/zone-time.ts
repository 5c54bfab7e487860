import { ToolError } from '../call/tool-error.ts'

const MINUTE_MS = 60_000
const MAX_FORMATS = 500

const formats = new Map<string, Intl.DateTimeFormat>()

/** Minutes since 1970 as the clocks on the wall show them in that zone. */
export function wallMinute(instant: number, timeZone: string): number {
  if (timeZone === 'UTC') return Math.floor(instant / MINUTE_MS)
  const shown = { year: 0, month: 1, day: 1, hour: 0, minute: 0 }
  for (const { type, value } of formatOf(timeZone).formatToParts(instant))
    if (type in shown) shown[type as keyof typeof shown] = Number(value)
  return Date.UTC(shown.year, shown.month - 1, shown.day, shown.hour, shown.minute) / MINUTE_MS
}

/** The instant of a wall's minute as text: date, time and offset. */
export function shownIn(instant: number, timeZone: string): string {
  const wall = wallMinute(instant, timeZone)
  const offset = wall - Math.floor(instant / MINUTE_MS)
  const distance = Math.abs(offset)
  const sign = offset < 0 ? '-' : '+'
  return `${new Date(wall * MINUTE_MS).toISOString().slice(0, 16)}${sign}${twoDigits(Math.floor(distance / 60))}:${twoDigits(distance % 60)}`
}

function twoDigits(value: number): string {
  return String(value).padStart(2, '0')
}

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone)
  if (known !== undefined) return known
  const fresh = newFormat(timeZone)
  // zones come from callers, and one zone has many spellings: without an end this would grow for ever
  if (formats.size >= MAX_FORMATS) formats.clear()
  formats.set(timeZone, fresh)
  return fresh
}

function newFormat(timeZone: string): Intl.DateTimeFormat {
  try {
    return new Intl.DateTimeFormat('en-US', {
      timeZone,
      calendar: 'gregory',
      numberingSystem: 'latn',
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
    })
  } catch (cause) {
    throw new ToolError('TOOL_CONFIGURATION_ERROR', `The time zone "${timeZone}" is not known, so nobody can tell what time it is there.`, {
      details: { time_zone: timeZone },
      cause,
    })
  }
}
