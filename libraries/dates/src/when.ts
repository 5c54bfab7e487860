import type { Day, WallTime } from './civil.ts'

export type Language = 'en' | 'de' | 'fr' | 'es'

/** When something is, as a text says it. */
export type When = {
  readonly text: string
  /** Where it stands in the text (in its composed form, NFC). */
  readonly index: number
  /** The words of it that are dates and times; others may stand between them. */
  readonly spans: readonly { readonly start: number; readonly end: number }[]
  readonly day: Day
  readonly time?: WallTime
  /** The last day, itself included. */
  readonly endDay?: Day
  readonly endTime?: WallTime
  readonly isAllDay: boolean
  /** The one the text names, or the one that was given. */
  readonly timeZone: string
  /**
   * The text says the zone or the offset itself: its time is an instant, wherever it takes place.
   */
  readonly zone?: 'named'
  /** `+02:00`, where the text says one. */
  readonly offset?: string
  /** RRULE lines. */
  readonly recurrence?: readonly string[]
  /** When the doors open, where the text tells that apart from the start. */
  readonly doors?: WallTime
  /**
   * What the words before it make of it: the beginning of sales, a last day to sign up, opening
   * hours. Not the thing itself.
   */
  readonly aside?: 'sale' | 'deadline' | 'hours' | 'publication'
  /** 0 to 1: how sure the day is; a guessed year, month order or weekday costs. */
  readonly confidence: number
  /** The same for the time alone; 0 where there is none. */
  readonly timeConfidence: number
  readonly language: Language
}

export type ReadWhenOptions = {
  /** The moment from which "tomorrow" is told. */
  readonly now: number
  readonly timeZone: string
  readonly languages?: readonly Language[]
  readonly prefer?: 'future' | 'past'
  /** `US` reads 3/4 as 4 March; where it is missing the time zone says. */
  readonly region?: string
}
