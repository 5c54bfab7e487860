import { RRuleTemporal } from 'rrule-temporal'
import { Temporal } from 'temporal-polyfill'
import { type Day, dayOf, startOfDay, timeOf, type WallTime } from './civil.ts'

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
  /** Days on which a series does not take place. */
  readonly exceptions?: readonly Day[]
  /** When the doors open, where the text tells that apart from the start. */
  readonly doors?: WallTime
  /**
   * What the words before it make of it: the beginning of sales, a last day to sign up, opening
   * hours, a day on which it is not. Not the thing itself.
   */
  readonly aside?: 'sale' | 'deadline' | 'hours' | 'publication' | 'exception'
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

/** Something that happens again. */
export type Recurring = {
  /** On the wall of its zone: `YYYY-MM-DDTHH:MM`, or `YYYY-MM-DD` for whole days. */
  readonly start: string
  readonly timeZone: string
  readonly isAllDay: boolean
  /** With or without `RRULE:` before them. */
  readonly rrules: readonly string[]
  /** Starts that were called off, written as `start` is. */
  readonly exdates?: readonly string[]
}

export type Occurrence = {
  readonly day: Day
  readonly time?: WallTime /** Its first instant. */
  readonly atMs: number
}

// a rule that never comes true again must end somewhere; rules of people need a handful
const MOST_TRIES = 20_000

/**
 * Its occurrences that start at or after `fromMs` and before `toMs`, at most so many, in order. The
 * start itself is one.
 */
export function occurrences(
  recurring: Recurring,
  [fromMs, toMs]: readonly [number, number],
  most: number,
): readonly Occurrence[] {
  // whole days are counted where no clock is ever changed, and only then placed in their zone
  const zone = recurring.isAllDay ? 'UTC' : recurring.timeZone
  const gone = new Set(
    (recurring.exdates ?? []).map((text) => wallIn(text, zone).epochMilliseconds),
  )
  const found = new Map<number, Occurrence>()
  for (const one of startsOf(recurring, zone, [fromMs, toMs], most + gone.size)) {
    const occurrence = toOccurrence(one, recurring)
    if (!gone.has(one) && occurrence.atMs >= fromMs && occurrence.atMs < toMs)
      found.set(one, occurrence)
  }
  return [...found.values()].sort((first, second) => first.atMs - second.atMs).slice(0, most)
}

function startsOf(
  { start, rrules }: Recurring,
  zone: string,
  window: readonly [number, number],
  most: number,
): readonly number[] {
  const dtstart = wallIn(start, zone)
  return [dtstart.epochMilliseconds, ...rrules.flatMap((text) => rule(text, dtstart, window, most))]
}

function rule(
  text: string,
  dtstart: Temporal.ZonedDateTime,
  [fromMs, toMs]: readonly [number, number],
  most: number,
): readonly number[] {
  const rruleString = text.startsWith('RRULE:') ? text : `RRULE:${text}`
  const rrule = new RRuleTemporal({
    rruleString,
    dtstart,
    temporal: Temporal,
    maxIterations: MOST_TRIES,
    maxCandidateEvaluations: MOST_TRIES,
  })
  const starts: number[] = []
  // a zone is at most 14 hours from the UTC that whole days are counted in
  let at = new Date(fromMs - DAY_MS)
  const last = toMs + DAY_MS
  for (let left = most + 2; left > 0; left--) {
    const next = rrule.next(at, starts.length === 0)
    if (next === null || next.epochMilliseconds >= last) break
    starts.push(next.epochMilliseconds)
    at = new Date(next.epochMilliseconds)
  }
  return starts
}

const DAY_MS = 86_400_000

function toOccurrence(startMs: number, { isAllDay, timeZone }: Recurring): Occurrence {
  if (!isAllDay)
    return { day: dayOf(startMs, timeZone), time: timeOf(startMs, timeZone), atMs: startMs }
  const day = dayOf(startMs, 'UTC')
  return { day, atMs: startOfDay(day, timeZone) }
}

function wallIn(text: string, timeZone: string): Temporal.ZonedDateTime {
  return Temporal.PlainDateTime.from(text).toZonedDateTime(timeZone)
}
