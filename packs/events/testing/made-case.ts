import type { CalendarDay } from './calendar-day.ts'

export type Language = 'en' | 'de' | 'fr' | 'es'
export type Kind = 'flyer' | 'photo' | 'page' | 'sentence'

export type Price = { readonly amount: number; readonly currency: string }
export type Place = { readonly name: string; readonly address?: string }

/** What a careful person reads. What is not there was not said. */
export type Answer = {
  readonly title: string
  /** Other titles that a careful person could as well write down. */
  readonly otherTitles?: readonly string[]
  readonly day: CalendarDay
  /** HH:MM, in the answer's zone. */
  readonly time?: string
  /** The last day, included. */
  readonly endDay?: CalendarDay
  readonly endTime?: string
  readonly isAllDay: boolean
  /** An RRULE without its name: FREQ=WEEKLY;BYDAY=TU */
  readonly recurrence?: string
  readonly place?: Place
  readonly price?: Price
  readonly timeZone: string
}

export type Given = {
  readonly text?: string
  readonly html?: string
  readonly url?: string
  /** What the page's oEmbed address answers. */
  readonly oEmbed?: Readonly<Record<string, unknown>>
  /** PNG for a flyer, JPEG for a photo. */
  readonly image?: Uint8Array
}

export type MadeCase = {
  readonly id: string
  readonly kind: Kind
  readonly layout: string
  readonly language: Language
  /** Two letters; they settle what 03/04 means. */
  readonly region: string
  /** Held back from whoever builds the extractor. */
  readonly heldOut: boolean
  readonly now: number
  /** The zone of the person who asks. */
  readonly timeZone: string
  readonly given: Given
  readonly answer: Answer
}
