import type { Day } from '../civil.ts'
import type { Language } from '../when.ts'

/** A part of a day, as far as it tells eight in the morning from eight in the evening. */
export type Part = 'morning' | 'afternoon' | 'evening' | 'night'

export type RelativeDay = {
  readonly day: Day
  readonly endDay?: Day
  readonly part?: Part
  /** Minutes from now, where the words say that rather than a day. */
  readonly minutes?: number
  readonly certainty: number
}

export type Groups = Readonly<Record<string, string | undefined>>

/** From where "Friday" is told. */
export type Standpoint = { readonly today: Day; readonly prefer: 'future' | 'past' }

/** Words that tell a day from today's. */
export type RelativeRule = {
  readonly pattern: () => RegExp
  readonly read: (groups: Groups, from: Standpoint) => RelativeDay | undefined
}

/** What comes again: the parts of an RRULE. */
export type Repeat = {
  readonly frequency: 'DAILY' | 'WEEKLY' | 'MONTHLY' | 'YEARLY'
  readonly interval?: number
  /** 1 to 7. */
  readonly weekdays?: readonly number[]
  /** Which of the month: the first is 1, the last -1. */
  readonly positions?: readonly number[]
  readonly monthDay?: number
}

export type RepeatRule = {
  readonly pattern: () => RegExp
  readonly read: (groups: Groups) => Repeat | undefined
}

/**
 * One language's words for dates and times, folded: small letters, no accents. Sources of regular
 * expressions where it says so.
 */
export type Words = {
  readonly language: Language
  readonly months: ReadonlyMap<string, number>
  readonly weekdays: ReadonlyMap<string, number>
  /** Only read as weekdays right before a date. */
  readonly shortWeekdays: ReadonlyMap<string, number>
  readonly numbers: ReadonlyMap<string, number>
  /** What follows a day's number: th, er, º. Source. */
  readonly ordinal: string
  /** Between a day and its month. Source. */
  readonly ofMonth: string
  /** Between a weekday and a number. Source. */
  readonly article: string
  /** Between the ends of a range. Source. */
  readonly to: string
  /** Between days that belong together. Source. */
  readonly and: string
  /** Before the number of a day without its month, which is one then. Source. */
  readonly dayLead: string
  /** Before an hour that would else be a mere number. Source. */
  readonly hourLead: string
  /** Once more before the second hour of a range. Source. */
  readonly secondLead: string
  /** After an hour. Source. */
  readonly hourSuffix: string
  /** Does the suffix count in 24 hours? */
  readonly suffixIsPlain: boolean
  readonly namedHours: ReadonlyMap<string, number>
  readonly fractionsBefore: ReadonlyMap<string, number>
  readonly fractionsAfter: ReadonlyMap<string, number>
  readonly parts: ReadonlyMap<string, Part>
  readonly relative: readonly RelativeRule[]
  readonly repeats: readonly RepeatRule[]
  /** "until", "starting": of a series. Sources. */
  readonly until: string
  readonly starting: string
  /** Of a time. Sources. */
  readonly doors: string
  readonly start: string
  readonly end: string
  /** Of a date that is not the thing's own. Sources. */
  readonly sale: string
  readonly deadline: string
  readonly hours: string
  readonly publication: string
  /** Before days on which a series does not take place. Source. */
  readonly except: string
  /** Everyday words that tell the language. */
  readonly common: readonly string[]
  /** Days with a name: month and day. */
  readonly holidays: ReadonlyMap<string, readonly [number, number]>
}

/** A pattern over folded text that begins and ends with whole words. */
export function words(source: string): RegExp {
  return new RegExp(`(?<![\\p{L}\\p{N}])(?:${source})(?![\\p{L}\\p{N}])`, 'gu')
}

/** Any of these words, the longest first. Source. */
export function anyOf(words: Iterable<string>): string {
  const sorted = [...words].sort((first, second) => second.length - first.length)
  return sorted
    .map((word) => word.replace(/[.+?^$()[\]{}|\\]/g, '\\$&').replace(/ /g, '\\s+'))
    .join('|')
}
