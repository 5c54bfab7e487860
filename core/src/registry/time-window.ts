import type { TimeWindow } from '../define/condition.ts'
import { wallMinute } from './zone-time.ts'

const MINUTE_MS = 60_000
const HOUR_MINUTES = 60
const DAY_MINUTES = 24 * HOUR_MINUTES
/** Two weeks and a day: a window of one day a week may fall into the hour that a change of clocks leaves out. */
const HORIZON_HOURS = 15 * 24

/** Is the window open at this minute on the wall? The end is outside; the night after a day belongs to that day. */
export function isOpenAt(window: TimeWindow, wall: number): boolean {
  const day = Math.floor(wall / DAY_MINUTES)
  const minute = wall - day * DAY_MINUTES
  const today = window.days.has(weekdayOf(day))
  if (window.startMinute < window.endMinute) return today && minute >= window.startMinute && minute < window.endMinute
  return (today && minute >= window.startMinute) || (minute < window.endMinute && window.days.has(weekdayOf(day - 1)))
}

/** By number, Sunday is 0; day 0 is 1 January 1970, a Thursday. */
export function weekdayOf(day: number): number {
  return (((day + 4) % 7) + 7) % 7
}

/**
 * When all of these windows are next open together; undefined when not within two weeks.
 * Minutes on the wall are counted on within an hour in which the clocks don't change, and looked up in one where they do:
 * a window may open in the middle (the clocks jump into it) or twice (they jump back before it).
 */
export function nextOpening(windows: readonly TimeWindow[], from: number, zoneOf: (window: TimeWindow) => string): number | undefined {
  const start = Math.ceil(from / MINUTE_MS)
  const walls = windows.map((window) => ({ window, zone: zoneOf(window) }))
  for (let hour = 0; hour < HORIZON_HOURS; hour++) {
    const minute = start + hour * HOUR_MINUTES
    const clocks = walls.map(({ window, zone }) => ({ window, wallAt: wallOver(minute, zone) }))
    for (let passed = 0; passed < HOUR_MINUTES; passed++) {
      if (clocks.every(({ window, wallAt }) => isOpenAt(window, wallAt(passed)))) return (minute + passed) * MINUTE_MS
    }
  }
  return undefined
}

function wallOver(minute: number, zone: string): (passed: number) => number {
  const begin = wallMinute(minute * MINUTE_MS, zone)
  const isSteady = wallMinute((minute + HOUR_MINUTES) * MINUTE_MS, zone) - begin === HOUR_MINUTES
  return isSteady ? (passed) => begin + passed : (passed) => wallMinute((minute + passed) * MINUTE_MS, zone)
}
