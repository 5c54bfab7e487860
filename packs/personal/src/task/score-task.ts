import { dayOf, daysBetween, timeOf } from '@surehand/dates'
import { z } from 'zod'
import type { LocalTime } from '../local-time.ts'
import { dueDay } from './due.ts'
import type { Level, Task } from './task.ts'

/** What is at hand: where one is, how one feels, how long there is. What is left out is not judged. */
export type Situation = {
  readonly localTime: LocalTime
  readonly energy?: Level
  readonly context?: string
  readonly minutes?: number
}

export type FactorCategory = 'time' | 'importance' | 'energy' | 'context' | 'history'

/** One reason for or against, in the words of Explain Protocol 1.0. */
export type Factor = {
  readonly id: string
  readonly name: string
  readonly category: FactorCategory
  /** 0 to 10. */
  readonly raw_score: number
  /** Of all factors they add up to 1. */
  readonly weight: number
  readonly weighted_contribution: number
  readonly evidence: readonly string[]
}

/** 0 to 10: exactly the sum of what the factors contribute. */
export type Score = { readonly total_score: number; readonly factors: readonly Factor[] }

/** What a score looks at; a whole task is one. */
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

/** How much a task asks to be done now. The same task in the same situation always has the same score. */
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
  // in whole thousandths: binary fractions would not add up
  const thousandths = factors.reduce(
    (sum, factor) => sum + Math.round(factor.weighted_contribution * 1000),
    0,
  )
  return { total_score: thousandths / 1000, factors }
}

/** Why, in a sentence: what speaks most for it, in its own words. */
export function summarizeReasons({ factors }: Score): string {
  const telling = factors
    .filter(({ raw_score, evidence }) => raw_score > 5 && evidence.length > 0)
    .sort((one, other) => other.weighted_contribution - one.weighted_contribution)
    .slice(0, 3)
    .flatMap(({ evidence }) => evidence.slice(0, 1))
  if (telling.length === 0) return 'Nothing presses, and it can be done here and now.'
  const sentence = telling.join('; ')
  return `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}.`
}

type Judged = { readonly score: number; readonly evidence: readonly string[] }

type FactorRule = {
  readonly id: string
  readonly name: string
  readonly category: FactorCategory
  /** All of them are a hundred. */
  readonly percent: number
  readonly judge: (task: Scorable, situation: Situation) => Judged
}

/** What speaks for doing a task now. The weights are ours: what is due outweighs what is liked. */
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
  { id: 'age', name: 'How long it has been waiting', category: 'history', percent: 5, judge: age },
  {
    id: 'put_off',
    name: 'How often it was put off',
    category: 'history',
    percent: 5,
    judge: putOff,
  },
]

// neither for nor against
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
  // a week ahead it is half as urgent as today; nothing is urgent three weeks ahead
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
    return { score: 10, evidence: [`takes ${energy} energy, which is what there is`] }
  // too much energy wastes a good hour; too little spoils the work
  const score = spare > 0 ? 8 - spare * 2 : 3 + spare
  return { score, evidence: [`takes ${energy} energy while there is ${held}`] }
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
    return { score: 0, evidence: [`takes ${minutes} minutes of the ${there} there are`] }
  return {
    score: 6 + 4 * (minutes / there),
    evidence: [`takes ${minutes} of the ${there} minutes there are`],
  }
}

function age({ createdAt }: Scorable, { localTime }: Situation): Judged {
  const days = Math.max(0, daysBetween(dayOf(createdAt, localTime.zone), localTime.today))
  return {
    score: Math.min(10, days / 3),
    evidence: days < 7 ? [] : [`written down ${days} days ago`],
  }
}

function putOff({ deferrals }: Scorable): Judged {
  if (deferrals === 0) return { score: 0, evidence: [] }
  return {
    score: Math.min(10, deferrals * 3),
    evidence: [`put off ${deferrals === 1 ? 'once' : `${deferrals} times`}`],
  }
}

/** A factor as it is told. */
export const FactorView = z.object({
  id: z.string(),
  name: z.string(),
  category: z.enum(['time', 'importance', 'energy', 'context', 'history']),
  raw_score: z.number().min(0).max(10),
  weight: z.number().min(0).max(1),
  weighted_contribution: z.number().min(0).max(10),
  evidence: z.array(z.string()),
})
