import { dayOf, timeOf } from '@surehand/dates'
import type { LocalTime } from '../local-time.ts'
import { dueDay } from '../task/due.ts'
import type { Score } from '../task/score-task.ts'
import type { Task } from '../task/task.ts'
import type { Evidence } from './evidence.ts'
import type { Advice } from './explanation.ts'
import { type Factors, weigh } from './weigh.ts'

// A factor without evidence in the task has its neutral value.
const SAID = 0.9
const UNSAID = 0.4

/** The score of a task as factors of the protocol, with the task as evidence. */
export function taskFactors(task: Task, score: Score, localTime: LocalTime): Factors {
  return weigh(
    score.factors.map(({ id, name, category, raw_score, weight, evidence }) => ({
      id,
      name,
      category,
      raw: raw_score,
      weight,
      confidence: evidence.length > 0 ? SAID : UNSAID,
      evidence: evidence.map(
        (said): Evidence => ({
          kind: 'task',
          id: task.id,
          said: `"${task.title}": ${said}`,
          at: evidenceTime(task, category, localTime),
        }),
      ),
    })),
  )
}

function evidenceTime(task: Task, category: string, { zone }: LocalTime): string {
  if (category === 'time' && task.due !== undefined) {
    const day = dueDay(task.due, zone)
    return task.due.at === undefined ? day : `${day} ${timeOf(task.due.at, zone)}`
  }
  return dayOf(category === 'history' ? task.createdAt : task.updatedAt, zone)
}

const LONG_MINUTES = 90
const SHORT_MINUTES = 15

export function effortOf({ energy, minutes }: Task): Advice['effort_level'] {
  if (energy === 'high' || (minutes !== undefined && minutes >= LONG_MINUTES)) return 'high'
  if (energy === 'low' || (minutes !== undefined && minutes <= SHORT_MINUTES)) return 'low'
  return 'medium'
}

export function sensitivityOf(score: Score): Advice['time_sensitivity'] {
  const urgency = score.factors.find(({ id }) => id === 'urgency')?.raw_score ?? 0
  if (urgency >= 10) return 'immediate'
  if (urgency >= 9) return 'today'
  return urgency >= 5 ? 'this_week' : 'flexible'
}
