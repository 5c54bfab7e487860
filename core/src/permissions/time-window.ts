import type { TimeWindow } from '../define/condition.ts'
import { wallMinute } from './zone-time.ts'

const MINUTE_MS = 60_000
const HOUR_MINUTES = 60
const DAY_MINUTES = 24 * HOUR_MINUTES
/** Two weeks and a day: a window of one day a week may fall into the hour that a change of clocks leaves out. */
const HORIZON_DAYS = 15

/** Is the window open at this minute on the wall? The end is outside; the night after a day belongs to that day. */
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
  const offsets = clocks.map(({ zone }) => offsetAt(start, zone))
  if (
    length > 1 &&
    clocks.some(({ zone }, index) => offsetAt(start + length, zone) !== offsets[index])
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

function offsetAt(minute: number, zone: string): number {
  return wallMinute(minute * MINUTE_MS, zone) - minute
}
