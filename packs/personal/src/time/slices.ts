import { type Day, dayOf, timeOf } from '@surehand/kit/dates'
import type { Session } from './session.ts'

/** A part of a session that lies within one hour of one day, as the clocks there showed it. */
export type Slice = { readonly day: Day; readonly hour: number; readonly minutes: number }

const MINUTE_MS = 60_000
const HOUR_MINUTES = 60

/**
 * Cuts a session at every full hour of the wall, and with that at every midnight. An hour that comes twice when clocks go back
 * is counted twice, one that is left out not at all: all slices together are the session's minutes.
 */
export function slicesOf(
  { startedAt, stoppedAt }: Pick<Session, 'startedAt' | 'stoppedAt'>,
  { now, zone }: { now: number; zone: string },
): readonly Slice[] {
  const end = Math.floor((stoppedAt ?? now) / MINUTE_MS)
  const slices: Slice[] = []
  for (let at = Math.floor(startedAt / MINUTE_MS); at < end; ) {
    const [hour = 0, minute = 0] = timeOf(at * MINUTE_MS, zone)
      .split(':')
      .map(Number)
    const minutes = Math.min(end - at, HOUR_MINUTES - minute)
    slices.push({ day: dayOf(at * MINUTE_MS, zone), hour, minutes })
    at += minutes
  }
  return slices
}
