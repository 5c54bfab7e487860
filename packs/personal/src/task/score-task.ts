import { dayOf, daysBetween, timeOf } from '@surehand/dates'
import { z } from 'zod'
import type { LocalTime } from '../local-time.ts'
import { dueDay } from './due.ts'
import type { Level, Task } from './task.ts'

/** The circumstances in which a task would be done. A field that is left out is not scored. */
export type Situation = {
  readonly localTime: LocalTime
  readonly energy?: Level
  readonly context?: string
  readonly minutes?: number
}

type FactorCategory = 'time' | 'importance' | 'energy' | 'context' | 'history'

/** One reason for or against a task, as in Explain Protocol 1.0. */
type Factor = {
  readonly id: string
  readonly name: string
  readonly category: FactorCategory
  /** 0 to 10. */
  readonly raw_score: number
  /** The weights of all factors add up to 1. */
  readonly weight: number
  readonly weighted_contribution: number
  readonly evidence: readonly string[]
}

/** 0 to 10: exactly the sum of the weighted contributions. */
export type Score = { readonly total_score: number; readonly factors: readonly Factor[] }

/** The fields of a task that are scored. */
export type Scorable = Pick<
  Task,
  | 'title'
  | 'priority'
  | 'energy'
  | 'context'
  | 'minutes'
  | 'due'
  | 'deferrals'
  | 'createdAt'
  | 'project'
>

/** How pressing a task is in a situation. The score is deterministic. */
export function scoreTask(task: Scorable, situation: Situation): Score {
  const factors = FACTORS.map(({ id, name, category, percent, judge }): Factor => {
    const { score, evidence } = judge(task, situation)
    const tenths = Math.round(Math.min(10, Math.max(0, score)) * 10)
    return {
      id,
      name,
      category,
      raw_score: tenths / 10,
      weight: percent / 100,
      weighted_contribution: (tenths * percent) / 1000,
      evidence,
    }
  })
  // Added up in whole thousandths, because binary fractions would not add up exactly.
  const thousandths = factors.reduce(
    (sum, factor) => sum + Math.round(factor.weighted_contribution * 1000),
    0,
  )
  return { total_score: thousandths / 1000, factors }
}

/** The strongest reasons of a score, as a sentence. */
export function summarizeReasons({ factors }: Score): string {
  const telling = factors
    .filter(({ raw_score, evidence }) => raw_score > 5 && evidence.length > 0)
    .sort((one, other) => other.weighted_contribution - one.weighted_contribution)
    .slice(0, 3)
    .flatMap(({ evidence }) => evidence.slice(0, 1))
  if (telling.length === 0) return 'Nothing is urgent, and it can be done here and now.'
  const sentence = telling.join('; ')
  return `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}.`
}

type Judged = { readonly score: number; readonly evidence: readonly string[] }

type FactorRule = {
  readonly id: string
  readonly name: string
  readonly category: FactorCategory
  /** The percentages of all factors add up to 100. */
  readonly percent: number
  readonly judge: (task: Scorable, situation: Situation) => Judged
}

/**
 * The factors of a score. The weights are a choice of this pack: a due date outweighs a preference.
 */
const FACTORS: readonly FactorRule[] = [
  { id: 'urgency', name: 'How soon it is due', category: 'time', percent: 30, judge: urgency },
  {
    id: 'importance',
    name: 'Its priority',
    category: 'importance',
    percent: 25,
    judge: importance,
  },
  {
    id: 'energy_fit',
    name: 'The energy it takes',
    category: 'energy',
    percent: 15,
    judge: energyFit,
  },
  {
    id: 'context_fit',
    name: 'Whether it can be done here',
    category: 'context',
    percent: 10,
    judge: contextFit,
  },
  {
    id: 'time_fit',
    name: 'Whether there is time for it',
    category: 'time',
    percent: 10,
    judge: timeFit,
  },
  { id: 'age', name: 'How long it has existed', category: 'history', percent: 5, judge: age },
  {
    id: 'put_off',
    name: 'How often it was deferred',
    category: 'history',
    percent: 5,
    judge: putOff,
  },
]

// Neither for nor against.
const NEUTRAL = 5

function urgency({ due }: Scorable, { localTime }: Situation): Judged {
  if (due === undefined) return { score: 1, evidence: [] }
  const on = dueDay(due, localTime.zone)
  const left = daysBetween(localTime.today, on)
  const time = due.at === undefined ? undefined : timeOf(due.at, localTime.zone)
  const day = time === undefined ? on : `${on} ${time}`
  if (due.at === undefined ? left < 0 : due.at < localTime.now)
    return { score: 10, evidence: [`overdue since ${day}`] }
  if (left <= 0)
    return { score: 9.5, evidence: [time === undefined ? 'due today' : `due today at ${time}`] }
  if (left === 1) return { score: 8.5, evidence: [`due tomorrow (${day})`] }
  // A week ahead a task is half as urgent as today; three weeks ahead nothing is urgent.
  return { score: Math.max(1, 8.5 - (left - 1) * 0.6), evidence: [`due in ${left} days (${day})`] }
}

const WORTH: Readonly<Record<Level, number>> = { high: 10, medium: 6, low: 2 }

function importance({ priority }: Scorable): Judged {
  return priority === undefined
    ? { score: 4, evidence: [] }
    : { score: WORTH[priority], evidence: [`priority ${priority}`] }
}

const STRENGTH: Readonly<Record<Level, number>> = { low: 0, medium: 1, high: 2 }

function energyFit({ energy }: Scorable, { energy: held }: Situation): Judged {
  if (held === undefined || energy === undefined) return { score: NEUTRAL, evidence: [] }
  const spare = STRENGTH[held] - STRENGTH[energy]
  if (spare === 0)
    return { score: 10, evidence: [`takes ${energy} energy, which matches the available energy`] }
  // Spare energy wastes a good hour; too little energy spoils the work.
  const score = spare > 0 ? 8 - spare * 2 : 3 + spare
  return { score, evidence: [`takes ${energy} energy while ${held} is available`] }
}

function contextFit({ context }: Scorable, { context: at }: Situation): Judged {
  if (at === undefined) return { score: NEUTRAL, evidence: [] }
  if (context === undefined) return { score: 6, evidence: ['can be done anywhere'] }
  return context === at
    ? { score: 10, evidence: [`can be done @${at}`] }
    : { score: 0, evidence: [`needs @${context}, not @${at}`] }
}

function timeFit({ minutes }: Scorable, { minutes: there }: Situation): Judged {
  if (there === undefined || minutes === undefined) return { score: NEUTRAL, evidence: [] }
  if (minutes > there)
    return { score: 0, evidence: [`takes ${minutes} minutes, more than the ${there} available`] }
  return {
    score: 6 + 4 * (minutes / there),
    evidence: [`takes ${minutes} of the ${there} minutes available`],
  }
}

function age({ createdAt }: Scorable, { localTime }: Situation): Judged {
  const days = Math.max(0, daysBetween(dayOf(createdAt, localTime.zone), localTime.today))
  return {
    score: Math.min(10, days / 3),
    evidence: days < 7 ? [] : [`captured ${days} days ago`],
  }
}

function putOff({ deferrals }: Scorable): Judged {
  if (deferrals === 0) return { score: 0, evidence: [] }
  return {
    score: Math.min(10, deferrals * 3),
    evidence: [`deferred ${deferrals === 1 ? 'once' : `${deferrals} times`}`],
  }
}

/** A factor in the output. */
export const FactorView = z.object({
  id: z.string(),
  name: z.string(),
  category: z.enum(['time', 'importance', 'energy', 'context', 'history']),
  raw_score: z.number().min(0).max(10),
  weight: z.number().min(0).max(1),
  weighted_contribution: z.number().min(0).max(10),
  evidence: z.array(z.string()),
})
