import type { Here } from './here.ts'
import { FACTORS } from './score-factors.ts'
import type { Level, Task } from './task.ts'

/** What is at hand: where one is, how one feels, how long there is. What is left out is not judged. */
export type Situation = {
  readonly here: Here
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
export function reasonOf({ factors }: Score): string {
  const telling = factors
    .filter(({ raw_score, evidence }) => raw_score > 5 && evidence.length > 0)
    .sort((one, other) => other.weighted_contribution - one.weighted_contribution)
    .slice(0, 3)
    .flatMap(({ evidence }) => evidence.slice(0, 1))
  if (telling.length === 0) return 'Nothing presses, and it can be done here and now.'
  const sentence = telling.join('; ')
  return `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}.`
}
