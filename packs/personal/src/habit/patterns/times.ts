import { instantText } from '@surehand/dates'
import type { DoneDay } from './records.ts'

export const PARTS_OF_DAY = ['morning', 'afternoon', 'evening', 'night'] as const
export type PartOfDay = (typeof PARTS_OF_DAY)[number]

export type TimeShare = {
  readonly part: PartOfDay
  readonly completions: number
  readonly average_quality?: number
}

const ENOUGH_OF_EACH = 3
const CLEAR_DIFFERENCE = 0.5

const HOUR = { start: 'YYYY-MM-DDT'.length, end: 'YYYY-MM-DDTHH'.length }

function partOf(hour: number): PartOfDay {
  if (hour < 5 || hour >= 22) return 'night'
  if (hour < 12) return 'morning'
  return hour < 17 ? 'afternoon' : 'evening'
}

/**
 * Counts completions by part of the day. A record that was written on a later day says nothing
 * about the time and is skipped.
 */
export function timeShares(records: readonly DoneDay[]): TimeShare[] {
  const timed = records
    .map(({ day, zone, recordedAt, quality }) => ({
      day,
      wall: instantText(recordedAt, zone),
      quality,
    }))
    .filter(({ day, wall }) => wall.startsWith(day))
    .map(({ wall, quality }) => ({
      part: partOf(Number(wall.slice(HOUR.start, HOUR.end))),
      quality,
    }))
  return PARTS_OF_DAY.flatMap((part) => {
    const inPart = timed.filter((one) => one.part === part)
    const qualities = inPart.flatMap(({ quality }) => (quality === null ? [] : [quality]))
    if (inPart.length === 0) return []
    return [
      {
        part,
        completions: inPart.length,
        ...(qualities.length < ENOUGH_OF_EACH ? {} : { average_quality: meanOf(qualities) }),
      },
    ]
  })
}

/**
 * The best and worst part of the day: by quality when it differs clearly, else the best is the most
 * frequent.
 */
export function extremeTimes(shares: readonly TimeShare[]): {
  readonly best?: PartOfDay
  readonly worst?: PartOfDay
} {
  const rated = shares
    .flatMap(({ part, average_quality: quality }) =>
      quality === undefined ? [] : [{ part, quality }],
    )
    .sort((one, other) => other.quality - one.quality)
  const [best, worst] = [rated[0], rated.at(-1)]
  if (best !== undefined && worst !== undefined && best.quality - worst.quality >= CLEAR_DIFFERENCE)
    return { best: best.part, worst: worst.part }
  const usual = shares.toSorted((one, other) => other.completions - one.completions)[0]
  return usual === undefined || usual.completions < ENOUGH_OF_EACH ? {} : { best: usual.part }
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}
