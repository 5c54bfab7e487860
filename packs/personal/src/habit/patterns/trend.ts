import type { Frequency } from '../period.ts'
import { countDone } from '../success.ts'

export type Trend = {
  readonly direction: 'improving' | 'steady' | 'declining'
  readonly earlier_rate: number
  readonly later_rate: number
}

/**
 * The number of periods that a pattern needs: two weeks of days, two months of weeks, half a year
 * of months.
 */
export const ENOUGH_CHANCES: Readonly<Record<Frequency, number>> = {
  daily: 14,
  weekly: 8,
  monthly: 6,
}

const CLEAR_CHANGE = 0.1

/**
 * Compares the later half of the periods with the earlier half; undefined when there are too few.
 */
export function findTrend(chances: readonly boolean[], frequency: Frequency): Trend | undefined {
  if (chances.length < ENOUGH_CHANCES[frequency]) return undefined
  const middle = Math.floor(chances.length / 2)
  const earlier = countDone(chances.slice(0, middle)).rate ?? 0
  const later = countDone(chances.slice(middle)).rate ?? 0
  const change = later - earlier
  const direction =
    Math.abs(change) < CLEAR_CHANGE ? 'steady' : change > 0 ? 'improving' : 'declining'
  return { direction, earlier_rate: earlier, later_rate: later }
}
