import { ToolError } from '../call/tool-error.ts'
import { zoneFormat } from '../define/time-zone.ts'

const MINUTE_MS = 60_000
const QUARTER_MS = 15 * MINUTE_MS
const MAX_ZONES = 500

type Known = { readonly quarter: number; readonly offset: number }

const latest = new Map<string, Known>()

/** Minutes since 1970 as the clocks on the wall show them in that zone. */
export function wallMinute(instant: number, timeZone: string): number {
  const minute = Math.floor(instant / MINUTE_MS)
  return timeZone === 'UTC' ? minute : minute + offsetAt(instant, timeZone)
}

// clocks are changed on a quarter of an hour, wherever they are: until the next one, what was looked up holds
function offsetAt(instant: number, timeZone: string): number {
  const quarter = Math.floor(instant / QUARTER_MS)
  const known = latest.get(timeZone)
  if (known?.quarter === quarter) return known.offset
  const offset = lookUp(quarter * QUARTER_MS, timeZone)
  if (latest.size >= MAX_ZONES) latest.clear()
  latest.set(timeZone, { quarter, offset })
  return offset
}

function lookUp(instant: number, timeZone: string): number {
  const shown = { year: 0, month: 1, day: 1, hour: 0, minute: 0 }
  for (const { type, value } of formatOf(timeZone).formatToParts(instant))
    if (type in shown) shown[type as keyof typeof shown] = Number(value)
  return (
    (Date.UTC(shown.year, shown.month - 1, shown.day, shown.hour, shown.minute) - instant) /
    MINUTE_MS
  )
}

/** An instant as the zone shows it: date, time and offset. */
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
  const format = zoneFormat(timeZone)
  if (format !== undefined) return format
  throw new ToolError(
    'TOOL_CONFIGURATION_ERROR',
    `The time zone "${timeZone}" is not known, so nobody can tell what time it is there.`,
    {
      details: { time_zone: timeZone },
    },
  )
}
