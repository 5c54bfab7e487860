import { dayOf, daysBetween, timeOf } from '@surehand/dates'
import { dueDay } from './due.ts'
import type { FactorCategory, Scorable, Situation } from './score-task.ts'
import type { Level } from './task.ts'

export type Judged = { readonly score: number; readonly evidence: readonly string[] }

type FactorRule = {
  readonly id: string
  readonly name: string
  readonly category: FactorCategory
  /** All of them are a hundred. */
  readonly percent: number
  readonly judge: (task: Scorable, situation: Situation) => Judged
}

/** What speaks for doing a task now. The weights are ours: what is due outweighs what is liked. */
export const FACTORS: readonly FactorRule[] = [
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

function urgency({ due }: Scorable, { here }: Situation): Judged {
  if (due === undefined) return { score: 1, evidence: [] }
  const on = dueDay(due, here.zone)
  const left = daysBetween(here.today, on)
  const time = due.at === undefined ? undefined : timeOf(due.at, here.zone)
  const day = time === undefined ? on : `${on} ${time}`
  if (due.at === undefined ? left < 0 : due.at < here.now)
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

function age({ createdAt }: Scorable, { here }: Situation): Judged {
  const days = Math.max(0, daysBetween(dayOf(createdAt, here.zone), here.today))
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
