import { placeOf } from './model.ts'
import type { Plan } from './plan.ts'

/**
 * The person's answer to a question of a run. When the question is repeated at the same place, the
 * answer is a valid one.
 */
export function chooseAnswer(plan: Plan, path: string): unknown {
  const [place = '', round] = (path.split('/').at(-1) ?? '').split('~')
  return round === undefined && plan.isMisunderstoodAt(place) ? 0 : plan.answerAt(place)
}

/** The person's verdict on an approval request that asks "Make …?". */
export function chooseVerdict(plan: Plan, asks: string): 'approve' | 'deny' {
  return plan.verdictAt(placeOf(asks.replace(/^Make /, '').replace(/\?$/, '')))
}
