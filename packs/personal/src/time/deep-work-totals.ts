import { addDays, type Day, daysBetween, startOfDay, weekOf } from '@surehand/dates'
import type { Here } from '../task/here.ts'
import type { Session } from './session.ts'
import { type Slice, slicesOf } from './slices.ts'

export type Range = { readonly from: Day; readonly to: Day }
export type HourTotal = {
  readonly hour: number
  readonly minutes: number
  readonly focus: number | undefined
}

/** Deep work within some days, added up in every way that is asked for. All ways have the same sum. */
export type Totals = {
  readonly minutes: number
  /** Those of which any minute is in these days. */
  readonly sessions: readonly Session[]
  /** Of those that say; weighted by their minutes. */
  readonly focus: number | undefined
  readonly interruptions: number
  readonly byDay: ReadonlyMap<Day, number>
  readonly byWeek: ReadonlyMap<string, number>
  readonly byProject: ReadonlyMap<string | undefined, number>
  readonly byHour: readonly HourTotal[]
}

type Cut = Slice & { readonly session: Session }

export function totalsOf(
  sessions: readonly Session[],
  { from, to }: Range,
  here: Pick<Here, 'now' | 'zone'>,
): Totals {
  const at = {
    ...here,
    within: { start: startOfDay(from, here.zone), end: startOfDay(addDays(to, 1), here.zone) },
  }
  const cuts: readonly Cut[] = sessions.flatMap((session) =>
    slicesOf(session, at)
      .filter(({ day }) => from <= day && day <= to)
      .map((slice) => ({ ...slice, session })),
  )
  const within = [...new Set(cuts.map(({ session }) => session))]
  const perDay = added(cuts, ({ day }) => day)
  return {
    minutes: sum(cuts),
    sessions: within,
    focus: focusOf(cuts),
    interruptions: within.reduce((total, { interruptions }) => total + (interruptions ?? 0), 0),
    byDay: new Map(daysOf({ from, to }).map((day) => [day, perDay.get(day) ?? 0])),
    byWeek: added(cuts, ({ day }) => weekName(day)),
    byProject: added(cuts, ({ session }) => session.project),
    byHour: Array.from({ length: 24 }, (_, hour) => {
      const then = cuts.filter((cut) => cut.hour === hour)
      return { hour, minutes: sum(then), focus: focusOf(then) }
    }),
  }
}

/** `2026-W03` */
export function weekName(day: Day): string {
  const { year, week } = weekOf(day)
  return `${year}-W${String(week).padStart(2, '0')}`
}

export function daysOf({ from, to }: Range): readonly Day[] {
  return Array.from({ length: Math.max(0, daysBetween(from, to) + 1) }, (_, index) =>
    addDays(from, index),
  )
}

function added<K>(cuts: readonly Cut[], keyOf: (cut: Cut) => K): ReadonlyMap<K, number> {
  const totals = new Map<K, number>()
  for (const cut of cuts) totals.set(keyOf(cut), (totals.get(keyOf(cut)) ?? 0) + cut.minutes)
  return totals
}

function sum(cuts: readonly Slice[]): number {
  return cuts.reduce((total, { minutes }) => total + minutes, 0)
}

function focusOf(cuts: readonly Cut[]): number | undefined {
  const told = cuts.filter(({ session }) => session.focus !== undefined)
  const minutes = sum(told)
  if (minutes === 0) return undefined
  const weighted = told.reduce((total, cut) => total + cut.minutes * (cut.session.focus ?? 0), 0)
  return Math.round((weighted / minutes) * 10) / 10
}

/** The hours that brought most: many minutes, well used. Where nobody said how well, it counts as middling. */
export function bestHours(byHour: readonly HourTotal[], most: number): readonly HourTotal[] {
  const worth = ({ minutes, focus }: HourTotal) => minutes * (focus ?? 3)
  return byHour
    .filter(({ minutes }) => minutes > 0)
    .sort((one, other) => worth(other) - worth(one) || one.hour - other.hour)
    .slice(0, most)
}
