import type { Language } from '../generated-case.ts'
import { german } from './de.ts'
import { english } from './en.ts'
import { spanish } from './es.ts'
import { french } from './fr.ts'

/** The time of day at which an occasion begins, which decides what "at 7" means. */
export type Hours = 'morning' | 'noon' | 'afternoon' | 'evening'

export type Occasion = {
  readonly title: string
  readonly hours: Hours
  /** With article and preposition: "the Jazz Night", "zur Jazznacht", "au Concert". */
  readonly to: string
  /** Other acceptable titles. */
  readonly also?: readonly string[]
  /** True if it does not repeat, such as a birthday. */
  readonly happensOnce?: true
  /** True if it may take several days. */
  readonly canLast?: true
}
export type Venue = { readonly name: string; readonly at: string }
export type Home = {
  readonly region: string
  readonly timeZone: string
  readonly currency: string
  readonly cities: readonly string[]
}
/** Parts that are combined into titles. */
export type Naming = {
  readonly homes: readonly Home[]
  readonly heads: readonly Occasion[]
  readonly join: (head: Occasion, epithet: string) => Occasion
  readonly epithets: readonly string[]
  /** Complete titles: plays, bands, talks. */
  readonly whole: readonly Occasion[]
  /** Private occasions. */
  readonly personal: readonly Occasion[]
  readonly taglines: readonly string[]
  readonly presenters: readonly string[]
  readonly venues: readonly Venue[]
  readonly address: (
    street: string,
    number: number,
    home: { region: string; city: string; postcode: number },
  ) => string
  readonly streets: readonly string[]
}

export const NAMES: Readonly<Record<Language, Naming>> = {
  en: english,
  de: german,
  fr: french,
  es: spanish,
}
