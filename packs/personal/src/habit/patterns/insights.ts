import type { Habit } from '../habit.ts'
import { unitOf } from '../period.ts'
import type { Correlation } from './correlation.ts'
import type { Pattern } from './pattern-of.ts'
import { ENOUGH_CHANCES } from './trend.ts'

/** What a pattern says, in sentences that a person can act on. */
export function insightsOf(habit: Habit, pattern: Pattern): readonly string[] {
  const { frequency, name } = habit
  const { expected, completions, success_rate: rate, trend } = pattern
  if (!pattern.enough_data)
    return [
      `"${name}" has ${expected} of the ${ENOUGH_CHANCES[frequency]} ${unitOf(frequency)} that a pattern needs.`,
    ]
  return [
    `"${name}" was done in ${completions} of ${expected} ${unitOf(frequency)} (${percent(rate ?? 0)}).`,
    ...(pattern.best_weekday === undefined || pattern.worst_weekday === undefined
      ? []
      : [
          `"${name}" goes best on ${capital(pattern.best_weekday)}s and worst on ${capital(pattern.worst_weekday)}s.`,
        ]),
    ...(pattern.best_time === undefined
      ? []
      : [`"${name}" goes best ${at(pattern.best_time)}${worstTime(pattern)}.`]),
    ...(trend === undefined || trend.direction === 'steady'
      ? []
      : [
          `"${name}" is ${trend.direction}: ${percent(trend.earlier_rate)} before, ${percent(trend.later_rate)} lately.`,
        ]),
  ]
}

export function correlationWords({ habits: [one, other], coefficient, days }: Correlation): string {
  const meaning =
    coefficient > 0 ? 'are mostly done on the same days' : 'are mostly done on different days'
  return `"${one}" and "${other}" ${meaning} (${coefficient.toFixed(2)} over ${days} days).`
}

function worstTime({ worst_time: worst }: Pattern): string {
  return worst === undefined ? '' : ` and worst ${at(worst)}`
}

function at(part: string): string {
  return part === 'night' ? 'at night' : `in the ${part}`
}

function percent(rate: number): string {
  return `${Math.round(rate * 100)} %`
}

function capital(word: string): string {
  return `${word.charAt(0).toUpperCase()}${word.slice(1)}`
}
