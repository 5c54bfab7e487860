import { type Day, dayOf } from './civil.ts'
import { fold } from './fold.ts'
import { writeFigures } from './spoken.ts'
import type { ReadWhenOptions } from './when.ts'
import type { Part, Standpoint, Words } from './words/words.ts'

/** A text that is being read for dates in one language. */
export type Reading = {
  readonly text: string
  /** Of the same length. */
  readonly folded: string
  /** Words that stand in it as figures. */
  readonly replaced: readonly Span[]
  readonly words: Words
  readonly from: Standpoint
  readonly nowMs: number
  readonly timeZone: string
  /** How 3/4 is read. */
  readonly order: 'monthFirst' | 'dayFirst'
}

export type Span = { readonly start: number; readonly end: number }

export type DateSpan = Span & {
  readonly day: Day
  readonly endDay?: Day
  readonly part?: Part
  /** From now. */
  readonly minutes?: number
  readonly certainty: number
  /**
   * Written with its month, as a weekday or number alone, in words such as "tomorrow", as a feast.
   */
  readonly manner: 'written' | 'weekday' | 'number' | 'relative' | 'feast'
  readonly hasYear: boolean
  /** Where else its weekday stands. */
  readonly names?: readonly Span[]
}

const US_ZONES =
  /^(?:US\/|America\/(?:New_York|Chicago|Denver|Los_Angeles|Phoenix|Anchorage|Detroit|Boise|Juneau|Indiana|Kentucky|North_Dakota)|Pacific\/Honolulu)/

// a postal code or a currency tells where a text is from, wherever its reader is
function regionIn(text: string): string | undefined {
  const isAmerican = /\b[A-Z]{2}\s\d{5}(?:-\d{4})?\b/.test(text)
  const isBritish = /£\s?\d|\b[A-Z]{1,2}\d[A-Z\d]?\s\d[A-Z]{2}\b/.test(text)
  return isAmerican === isBritish ? undefined : isAmerican ? 'US' : 'GB'
}

export function readingOf(text: string, words: Words, options: ReadWhenOptions): Reading {
  const region = regionIn(text) ?? options.region ?? (US_ZONES.test(options.timeZone) ? 'US' : '')
  // 2026-05-12T20:00 is a date and a time
  const plain = fold(text).replace(/(?<=\d{4}-\d\d-\d\d)t(?=\d\d:\d\d)/g, ' ')
  // the picture of a clock stands before a time
  const { text: folded, replaced } = writeFigures(
    plain.replace(/[\u{1f550}-\u{1f567}]/gu, 'at'),
    words,
  )
  return {
    text,
    folded,
    replaced,
    words,
    from: { today: dayOf(options.now, options.timeZone), prefer: options.prefer ?? 'future' },
    nowMs: options.now,
    timeZone: options.timeZone,
    order: words.language === 'en' && region === 'US' ? 'monthFirst' : 'dayFirst',
  }
}

// more dates than this stand in no text about an event, and each is held against all others
export const MOST_FINDS = 200

/** Where a pattern is found in a text, the first so many. */
export function findsOf(folded: string, pattern: RegExp): readonly RegExpExecArray[] {
  return [...folded.matchAll(pattern).take(MOST_FINDS)]
}

export function overlaps(one: Span, other: Span): boolean {
  return one.start < other.end && other.start < one.end
}

/** Of spans that overlap the leftmost stays, and the longer where two begin together. */
export function leftmost<S extends Span>(spans: readonly S[]): readonly S[] {
  const kept: S[] = []
  let end = -1
  for (const span of spans.toSorted(
    (one, other) => one.start - other.start || other.end - one.end,
  )) {
    if (span.start < end) continue
    kept.push(span)
    end = span.end
  }
  return kept
}

/**
 * May a number with nothing behind it stand alone here? Not before "people", "Main Street" or
 * "euros".
 */
export function endsAlone({ text, folded, words }: Reading, index: number): boolean {
  const rest = folded.slice(index, index + 40)
  const next = /^\s*(\p{L}[\p{L}'-]*)/u.exec(rest)
  if (next === null) return /^\s*(?:$|[^\d\s€$£%°/])/u.test(rest) || /^\s*\n/.test(rest)
  if (/^\s*\n/.test(rest)) return true
  const word = next[1] ?? ''
  if (
    words.weekdays.has(word) ||
    words.common.includes(word) ||
    words.months.has(word) ||
    FOLLOWS.test(word)
  )
    return true
  const first = text.charAt(index + next[0].length - word.length)
  return first === first.toLowerCase() && !COUNTED.test(word)
}

const FOLLOWS =
  /^(?:tomorrow|tonight|today|morgen|heute|demain|manana|hoy|sharp|pm|am|and|und|et|y)$/
const COUNTED =
  /^(?:people|persons?|minutes?|mins?|hours?|days?|weeks?|months?|years?|yo|euros?|eur|dollars?|pounds?|miles?|km|m|metres?|meters?|st|nd|rd|th|per|percent|x|times|of|personen|leute|minuten|stunden|tagen?|wochen?|jahren?|prozent|personnes|jours|semaines|mois|ans|personas|minutos|horas|dias|semanas|meses|anos)$/
