import { addDays, type Day } from '@surehand/dates'
import type { Week } from './throughput.ts'

export type Forecast = {
  readonly remaining: number
  readonly per_week: number
  readonly finishes_on: Day
}

const FURTHEST_WEEKS = 520

/** When it will be finished if it goes on as in these weeks; undefined where nothing was done, or nobody could wait for it. */
export function forecastOf(
  remaining: number,
  weeks: readonly Week[],
  today: Day,
): Forecast | undefined {
  const done = weeks.reduce((sum, { completed }) => sum + completed, 0)
  if (remaining === 0 || done === 0) return undefined
  const perWeek = done / weeks.length
  const weeksLeft = remaining / perWeek
  if (weeksLeft > FURTHEST_WEEKS) return undefined
  return {
    remaining,
    per_week: Math.round(perWeek * 100) / 100,
    finishes_on: addDays(today, Math.ceil(weeksLeft * 7)),
  }
}
