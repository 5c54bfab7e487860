import { type Day, daysBetween } from '@surehand/dates'
import type { Evidence } from './evidence.ts'
import { type Factors, type Part, weigh } from './weigh.ts'

/** A completed session of deep work. */
export type Session = {
  readonly id: string
  readonly subject: string
  readonly day: Day
  readonly hour: number
  readonly minutes: number
  readonly planned: number | undefined
  /** 1 to 5. */
  readonly focus: number | undefined
  readonly interruptions: number | undefined
  /** Whether it belongs to a task or a project. */
  readonly isLinked: boolean
}

export type TimeFacts = {
  readonly from: Day
  readonly to: Day
  readonly sessions: readonly Session[]
}

// Two hours of deep work a day give the full score; safe to change.
const GOOD_MINUTES_A_DAY = 120
const SHOWN = 3
/** A session went as planned when it was within a quarter of its planned length. */
const NEAR_PLAN = 0.25

/** How well the time was used, as factors from 0 to 10. */
export function timeFactors(facts: TimeFacts): Factors {
  return weigh(
    [
      volume(facts),
      regularity(facts),
      focus(facts),
      calm(facts),
      plan(facts),
      purpose(facts),
    ].flatMap((part) => part ?? []),
  )
}

export function totalMinutes({ sessions }: TimeFacts): number {
  return sessions.reduce((sum, { minutes }) => sum + minutes, 0)
}

export function daysIn({ from, to }: TimeFacts): number {
  return daysBetween(from, to) + 1
}

function volume(facts: TimeFacts): Part {
  const longest = [...facts.sessions].sort((one, other) => other.minutes - one.minutes)
  return {
    id: 'volume',
    name: 'How much deep work there was',
    category: 'time',
    weight: 0.3,
    raw: (10 * totalMinutes(facts)) / daysIn(facts) / GOOD_MINUTES_A_DAY,
    confidence: 0.95,
    evidence: longest
      .slice(0, SHOWN)
      .map((session) => toEvidence(session, `${session.minutes} minutes`)),
  }
}

function regularity(facts: TimeFacts): Part {
  const days = new Set(facts.sessions.map(({ day }) => day)).size
  return {
    id: 'regularity',
    name: 'On how many days',
    category: 'consistency',
    weight: 0.2,
    // Five days a week give the full score.
    raw: (10 * days) / Math.max(1, (daysIn(facts) * 5) / 7),
    confidence: 0.9,
    evidence: facts.sessions.slice(-SHOWN).map((session) => toEvidence(session, 'worked')),
  }
}

function focus({ sessions }: TimeFacts): Part | undefined {
  const rated = sessions.flatMap((session) =>
    session.focus === undefined ? [] : [{ session, value: session.focus }],
  )
  if (rated.length === 0) return undefined
  const mean = rated.reduce((sum, { value }) => sum + value, 0) / rated.length
  return {
    id: 'focus',
    name: 'How focused it was',
    category: 'quality',
    weight: 0.2,
    raw: ((mean - 1) / 4) * 10,
    confidence: rated.length / (rated.length + 3),
    evidence: rated
      .slice(-SHOWN)
      .map(({ session, value }) => toEvidence(session, `focus ${value} of 5`)),
  }
}

function calm({ sessions }: TimeFacts): Part | undefined {
  const counted = sessions.flatMap((session) =>
    session.interruptions === undefined ? [] : [{ session, times: session.interruptions }],
  )
  const hours = counted.reduce((sum, { session }) => sum + session.minutes, 0) / 60
  if (counted.length === 0 || hours === 0) return undefined
  const perHour = counted.reduce((sum, { times }) => sum + times, 0) / hours
  const worst = [...counted].sort((one, other) => other.times - one.times)
  return {
    id: 'calm',
    name: 'How seldom it was interrupted',
    category: 'quality',
    weight: 0.1,
    raw: 10 - 2 * perHour,
    confidence: counted.length / (counted.length + 3),
    evidence: worst
      .slice(0, SHOWN)
      .map(({ session, times }) => toEvidence(session, `interrupted ${times} times`)),
  }
}

function plan(facts: TimeFacts): Part | undefined {
  const { tries, hits } = countKeptPlans(facts.sessions)
  if (tries === 0) return undefined
  const planned = facts.sessions.filter((session) => session.planned !== undefined)
  return {
    id: 'plan',
    name: 'Whether it went as planned',
    category: 'planning',
    weight: 0.1,
    raw: (10 * hits) / tries,
    confidence: tries / (tries + 3),
    evidence: planned
      .slice(-SHOWN)
      .map((session) =>
        toEvidence(session, `${session.minutes} of ${session.planned} planned minutes`),
      ),
  }
}

function purpose(facts: TimeFacts): Part | undefined {
  const all = totalMinutes(facts)
  if (all === 0) return undefined
  const linked = facts.sessions.filter(({ isLinked }) => isLinked)
  return {
    id: 'purpose',
    name: 'How much of it was for a task or project',
    category: 'importance',
    weight: 0.1,
    raw: (10 * linked.reduce((sum, { minutes }) => sum + minutes, 0)) / all,
    confidence: 0.8,
    evidence: linked.slice(-SHOWN).map((session) => toEvidence(session, 'for a task or project')),
  }
}

/** How many sessions had a planned length, and how many were near it. */
export function countKeptPlans(sessions: readonly Session[]): {
  readonly tries: number
  readonly hits: number
} {
  const planned = sessions.flatMap(({ planned: wanted, minutes }) =>
    wanted === undefined || wanted === 0 ? [] : [{ wanted, minutes }],
  )
  return {
    tries: planned.length,
    hits: planned.filter(({ wanted, minutes }) => Math.abs(minutes - wanted) <= wanted * NEAR_PLAN)
      .length,
  }
}

/** The hour of the day with the most minutes. */
export function findBestHour(
  sessions: readonly Session[],
): { readonly hour: number; readonly minutes: number } | undefined {
  const hours = [...Map.groupBy(sessions, ({ hour }) => hour)].map(([hour, of]) => ({
    hour,
    minutes: of.reduce((sum, { minutes }) => sum + minutes, 0),
  }))
  return hours.sort((one, other) => other.minutes - one.minutes || one.hour - other.hour)[0]
}

function toEvidence({ id, subject, day }: Session, said: string): Evidence {
  return { kind: 'deep_work', id, said: `"${subject}": ${said}`, at: day }
}
