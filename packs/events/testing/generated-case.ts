import type { CalendarDay } from './calendar-day.ts'

export type Language = 'en' | 'de' | 'fr' | 'es'
export type Kind = 'flyer' | 'photo' | 'page' | 'sentence'

export type Price = { readonly amount: number; readonly currency: string }
export type Place = { readonly name: string; readonly address?: string }

/** The expected answer. A missing field is not in the source. */
export type Answer = {
  readonly title: string
  /** Other acceptable titles. */
  readonly otherTitles?: readonly string[]
  readonly day: CalendarDay
  /** HH:MM, in the time zone of the answer. */
  readonly time?: string
  /** The last day, inclusive. */
  readonly endDay?: CalendarDay
  readonly endTime?: string
  readonly isAllDay: boolean
  /** The value of an RRULE: FREQ=WEEKLY;BYDAY=TU */
  readonly recurrence?: string
  readonly place?: Place
  readonly price?: Price
  readonly timeZone: string
}

export type Given = {
  readonly text?: string
  readonly html?: string
  readonly url?: string
  /** The oEmbed response for the page. */
  readonly oEmbed?: Readonly<Record<string, unknown>>
  /** PNG for a flyer, JPEG for a photo. */
  readonly image?: Uint8Array
}

export type GeneratedCase = {
  readonly id: string
  readonly kind: Kind
  readonly layout: string
  readonly language: Language
  /** The country code, which decides what 03/04 means. */
  readonly region: string
  /** Not shown to the developers of the extractor. */
  readonly heldOut: boolean
  readonly now: number
  /** The time zone of the caller. */
  readonly timeZone: string
  readonly given: Given
  readonly answer: Answer
}
