import type { SeededRandom } from '@surehand/testing'
import { readWhen } from '../answer.ts'
import {
  addDays,
  type CalendarDay,
  nextFirstWeekday,
  nextWeekday,
  partsOf,
  weekdayOf,
} from '../calendar-day.ts'
import { later, otherWeekday, startTime, type When } from '../facts.ts'
import type { Price } from '../made-case.ts'
import type { Hours } from '../names/names.ts'

/** What somebody knows who is about to say when it is. */
export type Moment = {
  readonly chance: SeededRandom
  readonly today: CalendarDay
  readonly hours: Hours
  readonly region: string
}

/** The words, and what they mean. */
export type Said = { readonly words: string; readonly meaning: ReturnType<typeof readWhen> }

/** Says when, in one of a language's ways; undefined where it does not fit the moment. */
export type SayWhen = (moment: Moment) => Said | undefined

export type Parts = {
  readonly title: string
  /** As it stands after "come to". */
  readonly to: string
  readonly when: string
  readonly at: string
  readonly venue: string
  readonly address: string
  /** A whole sentence, or nothing. */
  readonly price: string
}

export type Frame = {
  readonly layout: 'chat' | 'mail' | 'note'
  readonly about: 'public' | 'personal'
  readonly shows: 'name' | 'address' | 'no place'
  readonly showsPrice?: true
  readonly say: (parts: Parts) => string
}

export type Speech = {
  readonly whens: readonly SayWhen[]
  readonly frames: readonly Frame[]
  readonly price: (price: Price) => string
}

export function said(words: string, when: When): Said {
  return { words, meaning: readWhen(when) }
}

/** A day some weeks ahead, for dates that are written out. */
export function farDay({ chance, today }: Moment): CalendarDay {
  return addDays(today, chance.whole(8, 150))
}

/** A day of the coming six, for weekdays that stand alone. */
export function nearDay({ chance, today }: Moment): CalendarDay {
  return addDays(today, chance.whole(2, 6))
}

/** A later day of this week, Monday to Sunday; none when the week is nearly over. */
export function dayOfThisWeek({ chance, today }: Moment): CalendarDay | undefined {
  const left = 7 - weekdayOf(today)
  return left < 2 ? undefined : addDays(today, chance.whole(2, left))
}

/** None on Sundays, when people disagree which week is the next. */
export function dayOfNextWeek({ chance, today }: Moment): CalendarDay | undefined {
  return weekdayOf(today) === 7 ? undefined : addDays(nextWeekday(today, 1), chance.whole(0, 4))
}

export function startOf({ chance, hours }: Moment): string {
  return startTime(chance, hours)
}

/** A start on the full hour. */
export function fullHour(moment: Moment): string {
  return `${startOf(moment).slice(0, 2)}:00`
}

export function once(day: CalendarDay, time: string): When {
  return { kind: 'once', day, time }
}

export function span(
  day: CalendarDay,
  time: string,
  hours: number,
): Extract<When, { kind: 'once' }> & { endTime: string } {
  return { kind: 'once', day, time, endTime: later(time, hours) }
}

export function weekly(
  { chance, today }: Moment,
  time: string,
): Extract<When, { kind: 'weekly' | 'monthly' }> {
  const weekday = otherWeekday(chance, today)
  return { kind: 'weekly', day: nextWeekday(today, weekday), weekday, time }
}

export function monthly(
  { chance, today }: Moment,
  time: string,
): Extract<When, { kind: 'weekly' | 'monthly' }> {
  const weekday = otherWeekday(chance, today)
  return { kind: 'monthly', day: nextFirstWeekday(today, weekday), weekday, time }
}

/** Two or three days within one month. */
export function someDays(moment: Moment): Extract<When, { kind: 'days' }> {
  const day = farDay(moment)
  const endDay = addDays(day, moment.chance.whole(1, 2))
  if (partsOf(day).month === partsOf(endDay).month) return { kind: 'days', day, endDay }
  return { kind: 'days', day: addDays(day, 3), endDay: addDays(endDay, 3) }
}
