import type { SeededRandom } from '@surehand/testing'
import { readWhen } from '../answer.ts'
import {
  addDays,
  type CalendarDay,
  dateParts,
  isoWeekday,
  nextFirstWeekday,
  nextWeekday,
} from '../calendar-day.ts'
import { later, otherWeekday, startTime, type When } from '../facts.ts'
import type { Price } from '../generated-case.ts'
import type { Hours } from '../names/names.ts'

/** The context in which a phrase for a time is made. */
export type Moment = {
  readonly random: SeededRandom
  readonly today: CalendarDay
  readonly hours: Hours
  readonly region: string
}

/** A phrase for a time, and its meaning. */
export type Phrase = { readonly words: string; readonly meaning: ReturnType<typeof readWhen> }

/** Makes a phrase for a time; undefined if it does not fit the context. */
export type PhraseWhen = (moment: Moment) => Phrase | undefined

export type SentenceParts = {
  readonly title: string
  /** The title as it appears after "come to". */
  readonly to: string
  readonly when: string
  readonly at: string
  readonly venue: string
  readonly address: string
  /** A whole sentence, or empty. */
  readonly price: string
}

export type Frame = {
  readonly layout: 'chat' | 'mail' | 'note'
  readonly about: 'public' | 'personal'
  readonly shows: 'name' | 'address' | 'no place'
  readonly showsPrice?: true
  readonly say: (parts: SentenceParts) => string
}

export type SentenceTemplates = {
  readonly whens: readonly PhraseWhen[]
  readonly frames: readonly Frame[]
  readonly price: (price: Price) => string
}

export function toPhrase(words: string, when: When): Phrase {
  return { words, meaning: readWhen(when) }
}

/** A day some weeks ahead, for written dates. */
export function farDay({ random, today }: Moment): CalendarDay {
  return addDays(today, random.whole(8, 150))
}

/** One of the next six days, for weekdays without a date. */
export function nearDay({ random, today }: Moment): CalendarDay {
  return addDays(today, random.whole(2, 6))
}

/** A later day of this week, Monday to Sunday; undefined if the week is nearly over. */
export function dayOfThisWeek({ random, today }: Moment): CalendarDay | undefined {
  const left = 7 - isoWeekday(today)
  return left < 2 ? undefined : addDays(today, random.whole(2, left))
}

/** A day of next week; undefined on Sundays, when "next week" is ambiguous. */
export function dayOfNextWeek({ random, today }: Moment): CalendarDay | undefined {
  return isoWeekday(today) === 7 ? undefined : addDays(nextWeekday(today, 1), random.whole(0, 4))
}

export function startOf({ random, hours }: Moment): string {
  return startTime(random, hours)
}

/** A start at a full hour. */
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
  { random, today }: Moment,
  time: string,
): Extract<When, { kind: 'weekly' | 'monthly' }> {
  const weekday = otherWeekday(random, today)
  return { kind: 'weekly', day: nextWeekday(today, weekday), weekday, time }
}

export function monthly(
  { random, today }: Moment,
  time: string,
): Extract<When, { kind: 'weekly' | 'monthly' }> {
  const weekday = otherWeekday(random, today)
  return { kind: 'monthly', day: nextFirstWeekday(today, weekday), weekday, time }
}

/** Two or three days within one month. */
export function someDays(moment: Moment): Extract<When, { kind: 'days' }> {
  const day = farDay(moment)
  const endDay = addDays(day, moment.random.whole(1, 2))
  if (dateParts(day).month === dateParts(endDay).month) return { kind: 'days', day, endDay }
  return { kind: 'days', day: addDays(day, 3), endDay: addDays(endDay, 3) }
}
