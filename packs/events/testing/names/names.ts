import type { Language } from '../made-case.ts'
import { german } from './de.ts'
import { english } from './en.ts'
import { spanish } from './es.ts'
import { french } from './fr.ts'

/** When such a thing begins: it keeps a breakfast out of the night, and makes "at 7" readable. */
export type Hours = 'morning' | 'noon' | 'afternoon' | 'evening'

export type Occasion = {
  readonly title: string
  readonly hours: Hours
  /** With what leads to it in a sentence: "the Jazz Night", "zur Jazznacht", "au Concert". */
  readonly to: string
  /** What else a careful person may call it. */
  readonly also?: readonly string[]
  /** Nobody has this every Tuesday. */
  readonly happensOnce?: true
  /** A thing that may take several days. */
  readonly canLast?: true
}
export type Venue = { readonly name: string; readonly at: string }
export type Home = {
  readonly region: string
  readonly timeZone: string
  readonly currency: string
  readonly cities: readonly string[]
}
/** Heads and what they are joined with: each pair is a title. */
export type Naming = {
  readonly homes: readonly Home[]
  readonly heads: readonly Occasion[]
  readonly join: (head: Occasion, epithet: string) => Occasion
  readonly epithets: readonly string[]
  /** Titles as they stand: plays, bands, talks. */
  readonly whole: readonly Occasion[]
  /** What people arrange among themselves. */
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
