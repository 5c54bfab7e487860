import { ToolError } from '../call/tool-error.ts'
import type { TimeWindow } from '../define/condition.ts'
import { zoneFormat } from '../define/time-zone.ts'

const MINUTE_MS = 60_000
const HOUR_MINUTES = 60
const DAY_MINUTES = 24 * HOUR_MINUTES
/**
 * Two weeks and a day: a window of one day a week may fall into the hour that a change of clocks
 * leaves out.
 */
const HORIZON_DAYS = 15

/**
 * Is the window open at this minute on the wall? The end is outside; the night after a day belongs
 * to that day.
 */
export function isOpenAt(window: TimeWindow, wall: number): boolean {
  const day = Math.floor(wall / DAY_MINUTES)
  const minute = wall - day * DAY_MINUTES
  const today = window.days.has(weekdayOf(day))
  if (window.startMinute < window.endMinute)
    return today && minute >= window.startMinute && minute < window.endMinute
  return (
    (today && minute >= window.startMinute) ||
    (minute < window.endMinute && window.days.has(weekdayOf(day - 1)))
  )
}

/** By number, Sunday is 0; day 0 is 1 January 1970, a Thursday. */
export function weekdayOf(day: number): number {
  return (((day + 4) % 7) + 7) % 7
}

/** When all of these windows are next open together; undefined when not within two weeks. */
export function nextOpening(
  windows: readonly TimeWindow[],
  from: number,
  zoneOf: (window: TimeWindow) => string,
): number | undefined {
  const clocks = windows.map((window) => ({ window, zone: zoneOf(window) }))
  const start = Math.ceil(from / MINUTE_MS)
  for (let day = 0; day < HORIZON_DAYS; day++) {
    const found = openingWithin(clocks, start + day * DAY_MINUTES, DAY_MINUTES)
    if (found !== undefined) return found * MINUTE_MS
  }
  return undefined
}

type Clocks = readonly { readonly window: TimeWindow; readonly zone: string }[]

// where the clocks change within a day it is searched by the hour, and that hour by the minute:
// they may jump into a window that never began, or back before one that has ended
function openingWithin(clocks: Clocks, start: number, length: number): number | undefined {
  const offsets = clocks.map(({ zone }) => zoneOffset(start, zone))
  if (
    length > 1 &&
    clocks.some(({ zone }, index) => zoneOffset(start + length, zone) !== offsets[index])
  ) {
    const step = length > HOUR_MINUTES ? HOUR_MINUTES : 1
    for (let at = start; at < start + length; at += step) {
      const found = openingWithin(clocks, at, step)
      if (found !== undefined) return found
    }
    return undefined
  }
  // while the clocks go evenly, windows come to be open together when one of them begins
  const begins = clocks.map(
    ({ window }, index) => start + untilMinute(window.startMinute, start + (offsets[index] ?? 0)),
  )
  const candidates = [
    start,
    ...begins.filter((at) => at < start + length).sort((one, other) => one - other),
  ]
  return candidates.find((at) =>
    clocks.every(({ window }, index) => isOpenAt(window, at + (offsets[index] ?? 0))),
  )
}

function untilMinute(minuteOfDay: number, wall: number): number {
  return (((minuteOfDay - wall) % DAY_MINUTES) + DAY_MINUTES) % DAY_MINUTES
}

function zoneOffset(minute: number, zone: string): number {
  return wallMinute(minute * MINUTE_MS, zone) - minute
}

const QUARTER_MS = 15 * MINUTE_MS
const MAX_ZONES = 500

type KnownOffset = { readonly quarter: number; readonly offset: number }

const latestOffsets = new Map<string, KnownOffset>()

/** Minutes since 1970 as the clocks on the wall show them in that zone. */
export function wallMinute(instant: number, timeZone: string): number {
  const minute = Math.floor(instant / MINUTE_MS)
  return timeZone === 'UTC' ? minute : minute + offsetAt(instant, timeZone)
}

// clocks are changed on a quarter of an hour, wherever they are: until the next one, what was
// looked up holds
function offsetAt(instant: number, timeZone: string): number {
  const quarter = Math.floor(instant / QUARTER_MS)
  const known = latestOffsets.get(timeZone)
  if (known?.quarter === quarter) return known.offset
  const offset = readOffset(quarter * QUARTER_MS, timeZone)
  if (latestOffsets.size >= MAX_ZONES) latestOffsets.clear()
  latestOffsets.set(timeZone, { quarter, offset })
  return offset
}

function readOffset(instant: number, timeZone: string): number {
  const shown = { year: 0, month: 1, day: 1, hour: 0, minute: 0 }
  for (const { type, value } of formatOf(timeZone).formatToParts(instant))
    if (type in shown) shown[type as keyof typeof shown] = Number(value)
  return (
    (Date.UTC(shown.year, shown.month - 1, shown.day, shown.hour, shown.minute) - instant) /
    MINUTE_MS
  )
}

/** An instant as the zone shows it: date, time and offset. */
export function formatInZone(instant: number, timeZone: string): string {
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
    `The time zone "${timeZone}" is not known, so the local time cannot be computed. Use an IANA name such as Europe/Berlin.`,
    {
      details: { time_zone: timeZone },
    },
  )
}
