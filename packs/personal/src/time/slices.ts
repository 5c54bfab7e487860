import { type Day, dayOf, timeOf } from '@surehand/dates'
import { endOf, type Session } from './session.ts'

/** A part of a session that lies within one hour of one day, as the clocks there showed it. */
export type Slice = { readonly day: Day; readonly hour: number; readonly minutes: number }

type Instants = { readonly start: number; readonly end: number }

const MINUTE_MS = 60_000
const HOUR_MINUTES = 60
const EVER: Instants = { start: Number.NEGATIVE_INFINITY, end: Number.POSITIVE_INFINITY }

/**
 * Cuts a session at every full hour of the wall, and with that at every midnight. An hour that comes twice when clocks go back
 * is counted twice, one that is left out not at all: all slices together are the session's minutes, or those within the instants asked for.
 */
export function slicesOf(
  session: Pick<Session, 'startedAt' | 'stoppedAt'>,
  { now, zone, within = EVER }: { now: number; zone: string; within?: Instants },
): readonly Slice[] {
  const end = Math.floor(Math.min(endOf(session, now), within.end) / MINUTE_MS)
  const slices: Slice[] = []
  for (let at = Math.floor(Math.max(session.startedAt, within.start) / MINUTE_MS); at < end; ) {
    const [hour = 0, minute = 0] = timeOf(at * MINUTE_MS, zone)
      .split(':')
      .map(Number)
    const minutes = Math.min(end - at, HOUR_MINUTES - minute)
    slices.push({ day: dayOf(at * MINUTE_MS, zone), hour, minutes })
    at += minutes
  }
  return slices
}
