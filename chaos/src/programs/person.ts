import { placeOf } from './model.ts'
import type { Plan } from './plan.ts'

/** What the person says to a question of a run; asked a second time at the same place, they have understood. */
export function answerFor(plan: Plan, path: string): unknown {
  const [place = '', round] = (path.split('/').at(-1) ?? '').split('~')
  return round === undefined && plan.isMisunderstoodAt(place) ? 0 : plan.answerAt(place)
}

/** What the person says who is asked for a yes: "Make …?" */
export function verdictFor(plan: Plan, asks: string): 'approve' | 'deny' {
  return plan.verdictAt(placeOf(asks.replace(/^Make /, '').replace(/\?$/, '')))
}
