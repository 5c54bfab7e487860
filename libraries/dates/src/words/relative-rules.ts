import { addDays, addMonths, type Day, daysInMonth } from '../civil.ts'
import { once } from '../once.ts'
import { coming, inWeek, lastWeekday } from '../weekday.ts'
import { type Part, type RelativeDay, type RelativeRule, type Standpoint, words } from './words.ts'

export type Unit = 'minute' | 'hour' | 'day' | 'week' | 'month' | 'year'

/**
 * Which Friday: any (the next to come, or the last), this week's, the coming one, next week's by
 * whatever is said to be next, surely next week's, the one a week after the coming one, the last
 * one.
 */
export type Which =
  | 'any'
  | 'this'
  | 'coming'
  | 'next'
  | 'nextOrComing'
  | 'nextWeek'
  | 'weekAfter'
  | 'last'

type Vocabulary = {
  readonly numbers: ReadonlyMap<string, number>
  readonly units: ReadonlyMap<string, Unit>
  readonly weekdays: ReadonlyMap<string, number>
  readonly parts: ReadonlyMap<string, Part>
}

/** A word for a day so many days from today. */
export function daysAway(source: string, days: number, part?: Part): RelativeRule {
  return {
    pattern: once(() => words(source)),
    read: (_groups, { today }) => ({
      day: addDays(today, days),
      ...(part === undefined ? {} : { part }),
      certainty: 0.97,
    }),
  }
}

/** The same with a part of the day behind it: the group `part` or `part2`. */
export function daysAwayWithPart(
  source: string,
  days: number,
  { parts }: Pick<Vocabulary, 'parts'>,
): RelativeRule {
  return {
    pattern: once(() => words(source)),
    read: ({ part, part2 }, { today }) => ({
      day: addDays(today, days),
      ...partOf(part ?? part2, parts),
      certainty: 0.97,
    }),
  }
}

/** "in three days": the groups `n` and `unit`. */
export function someAway(
  source: string,
  direction: 1 | -1,
  vocabulary: Pick<Vocabulary, 'numbers' | 'units'>,
): RelativeRule {
  return {
    pattern: once(() => words(source)),
    read: ({ n, unit }, { today }) => {
      const count = countOf(n, vocabulary.numbers)
      const measure =
        unit === undefined ? undefined : vocabulary.units.get(unit.replace(/\s+/g, ' '))
      return count === undefined || measure === undefined
        ? undefined
        : away(today, count * direction, measure)
    },
  }
}

function away(today: Day, count: number, unit: Unit): RelativeDay | undefined {
  switch (unit) {
    case 'minute':
      return { day: today, minutes: count, certainty: 0.95 }
    case 'hour':
      return { day: today, minutes: count * 60, certainty: 0.95 }
    case 'day':
      return { day: addDays(today, count), certainty: 0.95 }
    case 'week':
      return { day: addDays(today, count * 7), certainty: 0.93 }
    case 'month':
      return { day: addMonths(today, count), certainty: 0.9 }
    case 'year':
      return { day: addMonths(today, count * 12), certainty: 0.9 }
  }
}

/** A weekday, perhaps with a part of the day: the groups `wd` (or `wd2`) and `part`. */
export function onWeekday(
  source: string,
  which: Which,
  { weekdays, parts }: Pick<Vocabulary, 'weekdays' | 'parts'>,
): RelativeRule {
  return {
    pattern: once(() => words(source)),
    read: ({ wd, wd2, part }, from) => {
      const weekday = weekdays.get(wd ?? wd2 ?? '')
      return weekday === undefined
        ? undefined
        : { ...weekdayOf(weekday, which, from), ...partOf(part, parts) }
    },
  }
}

/** "two weeks from Friday": the groups `n` and `wd`. */
export function weeksAfterWeekday(
  source: string,
  { weekdays, numbers }: Pick<Vocabulary, 'weekdays' | 'numbers'>,
): RelativeRule {
  return {
    pattern: once(() => words(source)),
    read: ({ n, wd }, { today }) => {
      const [weekday, count] = [weekdays.get(wd ?? ''), countOf(n, numbers)]
      if (weekday === undefined || count === undefined) return undefined
      return { day: addDays(coming(today, weekday), 7 * count), certainty: 0.85 }
    },
  }
}

/** Saturday and Sunday of this week, or of a later one. */
export function weekend(source: string, weeksLater: number): RelativeRule {
  return {
    pattern: once(() => words(source)),
    read: (_groups, { today }) => ({
      day: inWeek(today, 6, weeksLater),
      endDay: inWeek(today, 7, weeksLater),
      certainty: 0.85,
    }),
  }
}

export function endOfMonth(source: string, monthsLater: number): RelativeRule {
  return {
    pattern: once(() => words(source)),
    read: (_groups, { today }) => {
      const first = addMonths(`${today.slice(0, 8)}01`, monthsLater)
      return { day: addDays(first, daysInMonth(first) - 1), certainty: 0.7 }
    },
  }
}

function weekdayOf(weekday: number, which: Which, { today, prefer }: Standpoint): RelativeDay {
  const [soon, nextWeeks] = [coming(today, weekday), inWeek(today, weekday, 1)]
  // said on a Monday, "Monday" is rarely today, and who says "next" early in a week may mean either
  const isToday = inWeek(today, weekday, 0) === today
  switch (which) {
    case 'any':
      return prefer === 'past'
        ? { day: isToday ? today : lastWeekday(today, weekday), certainty: isToday ? 0.6 : 0.85 }
        : { day: soon, certainty: isToday ? 0.55 : 0.9 }
    case 'this':
      return {
        day: inWeek(today, weekday, 0) < today ? soon : inWeek(today, weekday, 0),
        certainty: isToday ? 0.7 : 0.9,
      }
    case 'coming':
      return { day: soon, certainty: 0.92 }
    case 'next':
      return { day: nextWeeks, certainty: nextWeeks === soon ? 0.92 : 0.6 }
    case 'nextOrComing':
      return { day: soon, certainty: nextWeeks === soon ? 0.92 : 0.65 }
    case 'nextWeek':
      return { day: nextWeeks, certainty: 0.93 }
    case 'weekAfter':
      return { day: addDays(soon, 7), certainty: 0.85 }
    case 'last':
      return { day: lastWeekday(today, weekday), certainty: 0.9 }
  }
}

function partOf(
  text: string | undefined,
  parts: ReadonlyMap<string, Part>,
): Pick<RelativeDay, 'part'> {
  const part = text === undefined ? undefined : parts.get(text.replace(/\s+/g, ' '))
  return part === undefined ? {} : { part }
}

export function countOf(
  text: string | undefined,
  numbers: ReadonlyMap<string, number>,
): number | undefined {
  if (text === undefined) return undefined
  return /^\d+$/.test(text) ? Number(text) : numbers.get(text.replace(/\s+/g, ' '))
}
