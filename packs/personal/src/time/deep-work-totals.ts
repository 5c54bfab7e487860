import { addDays, type Day, dayOf, daysBetween, startOfDay, timeOf, weekOf } from '@surehand/dates'
import type { LocalTime } from '../local-time.ts'
import type { ReadContext } from '../read-context.ts'
import { countedEnd, SELECT_SESSIONS, type Session, toSession } from './session.ts'

export type Range = { readonly from: Day; readonly to: Day }
export type HourTotal = {
  readonly hour: number
  readonly minutes: number
  readonly focus: number | undefined
}

/**
 * Deep work within some days, added up by day, week, project and hour. All of these have the same
 * sum.
 */
export type Totals = {
  readonly minutes: number
  /** The sessions with at least one minute in these days. */
  readonly sessions: readonly Session[]
  /** The average of the rated sessions, weighted by their minutes. */
  readonly focus: number | undefined
  readonly interruptions: number
  readonly byDay: ReadonlyMap<Day, number>
  readonly byWeek: ReadonlyMap<string, number>
  readonly byProject: ReadonlyMap<string | undefined, number>
  readonly byHour: readonly HourTotal[]
}

type SessionSlice = Slice & { readonly session: Session }

export function addUp(
  sessions: readonly Session[],
  { from, to }: Range,
  localTime: Pick<LocalTime, 'now' | 'zone'>,
): Totals {
  const at = {
    ...localTime,
    within: {
      start: startOfDay(from, localTime.zone),
      end: startOfDay(addDays(to, 1), localTime.zone),
    },
  }
  const cuts: readonly SessionSlice[] = sessions.flatMap((session) =>
    sliceSession(session, at)
      .filter(({ day }) => from <= day && day <= to)
      .map((slice) => ({ ...slice, session })),
  )
  const within = [...new Set(cuts.map(({ session }) => session))]
  const perDay = sumBy(cuts, ({ day }) => day)
  return {
    minutes: sum(cuts),
    sessions: within,
    focus: averageFocus(cuts),
    interruptions: within.reduce((total, { interruptions }) => total + (interruptions ?? 0), 0),
    byDay: new Map(daysOf({ from, to }).map((day) => [day, perDay.get(day) ?? 0])),
    byWeek: sumBy(cuts, ({ day }) => weekName(day)),
    byProject: sumBy(cuts, ({ session }) => session.project),
    byHour: Array.from({ length: 24 }, (_, hour) => {
      const then = cuts.filter((cut) => cut.hour === hour)
      return { hour, minutes: sum(then), focus: averageFocus(then) }
    }),
  }
}

/** The name of the ISO week, such as `2026-W03`. */
export function weekName(day: Day): string {
  const { year, week } = weekOf(day)
  return `${year}-W${String(week).padStart(2, '0')}`
}

export function daysOf({ from, to }: Range): readonly Day[] {
  return Array.from({ length: Math.max(0, daysBetween(from, to) + 1) }, (_, index) =>
    addDays(from, index),
  )
}

function sumBy<K>(
  cuts: readonly SessionSlice[],
  keyOf: (cut: SessionSlice) => K,
): ReadonlyMap<K, number> {
  const totals = new Map<K, number>()
  for (const cut of cuts) totals.set(keyOf(cut), (totals.get(keyOf(cut)) ?? 0) + cut.minutes)
  return totals
}

function sum(cuts: readonly Slice[]): number {
  return cuts.reduce((total, { minutes }) => total + minutes, 0)
}

function averageFocus(cuts: readonly SessionSlice[]): number | undefined {
  const rated = cuts.filter(({ session }) => session.focus !== undefined)
  const minutes = sum(rated)
  if (minutes === 0) return undefined
  const weighted = rated.reduce((total, cut) => total + cut.minutes * (cut.session.focus ?? 0), 0)
  return Math.round((weighted / minutes) * 10) / 10
}

/**
 * The most productive hours, by minutes times focus. A session without a rating counts as average.
 */
export function bestHours(byHour: readonly HourTotal[], most: number): readonly HourTotal[] {
  const worth = ({ minutes, focus }: HourTotal) => minutes * (focus ?? 3)
  return byHour
    .filter(({ minutes }) => minutes > 0)
    .sort((one, other) => worth(other) - worth(one) || one.hour - other.hour)
    .slice(0, most)
}

/** The part of a session within one hour of one day, by the local clock. */
type Slice = { readonly day: Day; readonly hour: number; readonly minutes: number }

type Instants = { readonly start: number; readonly end: number }

const MINUTE_MS = 60_000

const HOUR_MINUTES = 60

const EVER: Instants = { start: Number.NEGATIVE_INFINITY, end: Number.POSITIVE_INFINITY }

/**
 * Cuts a session at every full hour of the local clock, and so at every midnight. An hour that
 * occurs twice when clocks go back is counted twice, a skipped hour not at all: the slices add up
 * to the minutes of the session, or to those within the given instants.
 */
export function sliceSession(
  session: Pick<Session, 'startedAt' | 'stoppedAt'>,
  { now, zone, within = EVER }: { now: number; zone: string; within?: Instants },
): readonly Slice[] {
  const end = Math.floor(Math.min(countedEnd(session, now), within.end) / MINUTE_MS)
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

// No session counts for longer than LONGEST_SESSION_MS, so one of the day before may reach past
// midnight; a second day covers a person who has changed zones since.
const REACH_DAYS = 2

/** Every session that may have a minute within these days. */
export async function readSessions(
  { read, person }: Pick<ReadContext, 'read' | 'person'>,
  { from, to }: Range,
  project?: { readonly id: string },
): Promise<readonly Session[]> {
  const within = project === undefined ? '' : ' and d.project_id = ?'
  const sql = `${SELECT_SESSIONS} where d.tenant = ? and d.owner = ? and d.day >= ? and d.day <= ?${within} order by d.started_at`
  const values = [person.tenant, person.owner, addDays(from, -REACH_DAYS), addDays(to, REACH_DAYS)]
  return (await read(sql, ...values, ...(project === undefined ? [] : [project.id]))).map(toSession)
}
