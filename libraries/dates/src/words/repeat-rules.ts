import { once } from '../once.ts'
import { countOf } from './relative-rules.ts'
import { type Repeat, type RepeatRule, words } from './words.ts'

type Vocabulary = {
  readonly weekdays: ReadonlyMap<string, number>
  readonly numbers: ReadonlyMap<string, number>
}

/** Days of the week, every so many weeks: the groups `wds` (one or several) and `n`. */
export function everyWeekday(
  source: string,
  { weekdays, numbers }: Vocabulary,
  every?: number,
): RepeatRule {
  return {
    pattern: once(() => words(source)),
    read: ({ wds, n }) => {
      const days = weekdaysIn(wds ?? '', weekdays)
      const interval = every ?? (n === undefined ? 1 : countOf(n, numbers))
      if (days.length === 0 || interval === undefined) return undefined
      return { frequency: 'WEEKLY', ...(interval > 1 ? { interval } : {}), weekdays: days }
    },
  }
}

/** The first Monday of a month: the groups `pos` (one or several) and `wd`. */
export function nthWeekday(source: string, { weekdays, numbers }: Vocabulary): RepeatRule {
  return {
    pattern: once(() => words(source)),
    read: ({ pos, wd }) => {
      const weekday = weekdays.get(wd ?? '')
      const positions = (pos ?? '')
        .split(/[^\p{L}\p{N}]+/u)
        .flatMap((word) => countOf(word.replace(/(?<=\d)\p{L}+$/u, ''), numbers) ?? [])
      if (
        weekday === undefined ||
        positions.length === 0 ||
        positions.some((one) => one < -1 || one > 5 || one === 0)
      )
        return undefined
      return { frequency: 'MONTHLY', weekdays: [weekday], positions }
    },
  }
}

/**
 * Every so many days, weeks, months: the group `n`; with the group `wds`, on these days; with `d`
 * or `d2`, on that day of the month.
 */
export function everySome(
  source: string,
  frequency: Repeat['frequency'],
  { weekdays, numbers }: Vocabulary,
  every?: number,
): RepeatRule {
  return {
    pattern: once(() => words(source)),
    read: ({ n, wds, d, d2 }) => {
      const interval = every ?? (n === undefined ? 1 : countOf(n, numbers))
      if (interval === undefined) return undefined
      const days = wds === undefined ? [] : weekdaysIn(wds, weekdays)
      const day = d ?? d2
      return {
        frequency,
        ...(interval > 1 ? { interval } : {}),
        ...(days.length === 0 ? {} : { weekdays: days }),
        ...(day === undefined ? {} : { monthDay: Number(day) }),
      }
    },
  }
}

export function onWorkdays(source: string): RepeatRule {
  return {
    pattern: once(() => words(source)),
    read: () => ({ frequency: 'WEEKLY', weekdays: [1, 2, 3, 4, 5] }),
  }
}

function weekdaysIn(text: string, weekdays: ReadonlyMap<string, number>): readonly number[] {
  const found = text.split(/[^\p{L}]+/u).flatMap((word) => weekdays.get(word) ?? [])
  return [...new Set(found)].sort((first, second) => first - second)
}
