import { de, en, es, fr, type ParsedResult } from 'chrono-node'
import { type Aside, findAsides } from './asides.ts'
import { type Anchor, attach, isIn, withAsides, withRoles } from './attach.ts'
import { atTime, offsetMinutes, timeOf } from './civil.ts'
import { monthAfter } from './find-counted.ts'
import { findDates } from './find-dates.ts'
import { soonest } from './find-relative.ts'
import { findRepeats, type RepeatSpan } from './find-repeats.ts'
import { findTimes, type TimeSpan } from './find-times.ts'
import { withoutZones } from './find-zone.ts'
import { hourOf, type Mood, tendency, wall } from './hour-of.ts'
import { type DateSpan, type Reading, readingOf, type Span } from './reading.ts'
import { dayText } from './resolve-day.ts'
import { toWhen } from './to-when.ts'
import type { Language, ReadWhenOptions, When } from './when.ts'
import { ALL_WORDS } from './words/all-words.ts'

// so far from "every Tuesday" a date may still say when that begins
const NEAR = 80

type Found = {
  readonly repeats: readonly RepeatSpan[]
  readonly dates: readonly DateSpan[]
  readonly asides: readonly Aside[]
}

/** Anchors of a text: each series with the dates it begins and ends on, and every other date. */
function joinSeries({ repeats, dates, asides }: Found, reading: Reading): readonly Anchor[] {
  const used = new Set<DateSpan>()
  // "closed Mondays" is no series
  const own = repeats.filter(
    (repeat) => !asides.some((aside) => aside.kind === 'exception' && isIn(repeat, aside)),
  )
  const series = own.map((repeat): Anchor => {
    const around = dates.filter((date) => !used.has(date) && isNear(repeat, date, reading))
    const except = around.filter((date) =>
      asides.some((aside) => aside.kind === 'exception' && isIn(date, aside)),
    )
    // when tickets are sold is not when it begins
    const near = around.filter((date) => !asides.some((aside) => isIn(date, aside)))
    const until = near.find(
      (date) => date.endDay === undefined && isLed(date, reading.words.until, reading),
    )
    const from =
      near.find((date) => date !== until && isLed(date, reading.words.starting, reading)) ??
      near.find((date) => date !== until && date.manner === 'written') ??
      monthAfter(repeat, reading)
    for (const date of [until, from, ...except]) if (date !== undefined) used.add(date)
    const spans = [
      repeat,
      ...(until === undefined ? [] : [until]),
      ...(from === undefined ? [] : [from]),
    ]
    return {
      start: Math.min(...spans.map(({ start }) => start)),
      end: Math.max(...spans.map(({ end }) => end)),
      repeat,
      ...(from === undefined ? {} : { from }),
      ...(until === undefined ? {} : { until }),
      ...(except.length === 0 ? {} : { except }),
      times: [],
    }
  })
  const single = dates
    .filter((date) => !used.has(date))
    .map((date): Anchor => ({ start: date.start, end: date.end, date, times: [] }))
  return [...series, ...single].toSorted((one, other) => one.start - other.start)
}

function isNear(repeat: RepeatSpan, date: DateSpan, { folded }: Reading): boolean {
  const gap =
    date.start >= repeat.end
      ? folded.slice(repeat.end, date.start)
      : folded.slice(date.end, repeat.start)
  return gap.length <= NEAR && !/[.!?]\s|\n\s*\n/.test(gap)
}

function isLed(date: DateSpan, cue: string, { folded, words }: Reading): boolean {
  const before = folded.slice(Math.max(0, date.start - 30), date.start)
  return new RegExp(String.raw`(?<!\p{L})(?:${cue})\s*(?:(?:${words.dayLead})\s+)?$`, 'u').test(
    before,
  )
}

const EVERY_LANGUAGE: readonly Language[] = ['en', 'de', 'fr', 'es']

/** Every date and time that a text names, in the order they stand in it. */
export function readWhen(text: string, options: ReadWhenOptions): readonly When[] {
  const composed = text.normalize('NFC')
  const languages = options.languages ?? EVERY_LANGUAGE
  const readings = languages.map((language) => {
    const reading = readingOf(composed, ALL_WORDS[language], options)
    const found = readIn(reading)
    return { found, score: likelihood(reading, found) }
  })
  const [best, ...others] = readings.sort((one, other) => other.score - one.score)
  if (best?.found.some(isOwn)) return best.found
  // "dispatched on 1 April" is understood, and no date of an event
  if (best?.found.some(({ aside }) => aside === 'publication')) return best.found
  const other = others.find(({ found }) => found.some(isOwn))
  if (other !== undefined) return other.found
  return readBySecond(composed, options, languages) ?? best?.found ?? []
}

// a time without a date is a poor find: another language may know the date
function isOwn({ aside, confidence }: When): boolean {
  return aside === undefined && confidence > TIME_ALONE
}

const TIME_ALONE = 0.35

function readIn(reading: Reading): readonly When[] {
  const asides = findAsides(reading)
  const repeats = findRepeats(reading)
  const dates = findDates(reading, repeats)
  const times = withRoles(
    findTimes(reading, [...repeats, ...dates, ...dates.flatMap(({ names = [] }) => names)]),
    reading,
  )
  const anchors = withAsides(joinSeries({ repeats, dates, asides }, reading), asides)
  const mood = moodOf(times, reading)
  const own = times.filter(
    (time) => !asides.some((aside) => aside.kind === 'hours' && isIn(time, aside)),
  )
  if (anchors.length === 0)
    return timeAlone(
      own.filter((time) => !asides.some((aside) => isIn(time, aside))),
      reading,
      mood,
    )
  const whens = joinEnds(attach(anchors, own, reading), reading).flatMap(
    (anchor) => toWhen(anchor, reading, mood) ?? [],
  )
  return whens
    .map((when) => ({ ...when, spans: when.spans.map((span) => wholeWords(span, reading)) }))
    .toSorted((one, other) => one.index - other.index)
}

/** "twenty to nine" is a time as a whole, although it is read as 8:40. */
function wholeWords({ start, end }: Span, { replaced }: Reading): Span {
  const own = replaced.filter((span) => span.start < end && start < span.end)
  return {
    start: Math.min(start, ...own.map((span) => span.start)),
    end: Math.max(end, ...own.map((span) => span.end)),
  }
}

/** "Friday 20:00 to Sunday 18:00": the second date and its time are the end of the first. */
function joinEnds(anchors: readonly Anchor[], reading: Reading): readonly Anchor[] {
  const between = new RegExp(
    String.raw`^\s*,?\s*(?:${reading.words.to})\s*(?:(?:${reading.words.dayLead})\s+)?$`,
    'u',
  )
  const kept: Anchor[] = []
  for (const anchor of anchors) {
    const before = kept.at(-1)
    const last = before?.times.at(-1)
    const isEnd =
      before?.date !== undefined &&
      anchor.date !== undefined &&
      last !== undefined &&
      before.date.endDay === undefined &&
      anchor.date.day > before.date.day &&
      between.test(reading.folded.slice(last.end, anchor.start))
    if (!isEnd || before?.date === undefined || anchor.date === undefined) {
      kept.push(anchor)
      continue
    }
    const ends = anchor.times.map((time): TimeSpan => ({ ...time, role: 'end' }))
    kept.splice(-1, 1, {
      ...before,
      date: { ...before.date, endDay: anchor.date.day },
      end: anchor.end,
      times: [...before.times, ...ends],
    })
  }
  return kept
}

function moodOf(times: readonly TimeSpan[], reading: Reading): Mood {
  const tends =
    tendency(reading.folded) ?? (times.some(({ role }) => role === 'doors') ? 'evening' : undefined)
  const clocks = times.flatMap(({ clock, until }) =>
    until === undefined ? [clock] : [clock, until],
  )
  return {
    ...(tends === undefined ? {} : { tends }),
    countsTo24: clocks.some(
      ({ hour, half, isPlain }) => half === undefined && isPlain && hour > 12,
    ),
    language: reading.words.language,
  }
}

function timeAlone(times: readonly TimeSpan[], reading: Reading, mood: Mood): readonly When[] {
  const [first] = times
  if (first === undefined) return []
  const { time } = hourOf(
    first.clock,
    first.part === undefined ? mood : { ...mood, part: first.part },
  )
  const day = soonest(reading, time, timeOf(reading.nowMs, reading.timeZone))
  const when = toWhen(
    {
      start: first.start,
      end: first.end,
      date: {
        start: first.start,
        end: first.end,
        day,
        certainty: TIME_ALONE,
        manner: 'relative',
        hasYear: false,
      },
      times,
    },
    reading,
    mood,
  )
  return when === undefined ? [] : [when]
}

/**
 * How much speaks for a text being in this language: its everyday words, its days and months, and
 * what was understood of it.
 */
function likelihood({ text, folded, words }: Reading, found: readonly When[]): number {
  const common = new Set(words.common)
  let score = 0
  for (const token of withoutZones({ text, folded }).split(/[^\p{L}']+/u)) {
    if (common.has(token)) score += 3
    if (words.weekdays.has(token)) score += 6
    // short ones are the same in several languages
    if (words.months.has(token)) score += token.length > 3 ? 6 : 3
    if (words.shortWeekdays.has(token)) score += 2
  }
  // not how sure: who reads 3/12 without a doubt is not the better judge of whose it is
  return (
    score +
    Math.max(
      0,
      ...found.map(
        ({ time, aside }) => (aside === undefined ? 2 : 0) + (time === undefined ? 0 : 2),
      ),
    )
  )
}

const MOST_PIECES = 4
const READERS = { en: en.casual, de: de.casual, fr: fr.casual, es: es.casual }

/**
 * chrono-node, for what our own words do not know: its parts alone; its instants are wrong where
 * clocks change.
 */
function readBySecond(
  text: string,
  options: ReadWhenOptions,
  languages: readonly Language[],
): readonly When[] | undefined {
  const pieces = piecesOf(text)
  const timezone = offsetMinutes(options.now, options.timeZone)
  for (const language of languages) {
    const found = pieces.flatMap((piece) =>
      READERS[language]
        .parse(
          piece.text,
          { instant: new Date(options.now), timezone },
          { forwardDate: options.prefer !== 'past' },
        )
        .flatMap(
          (result) =>
            secondReading(
              { text: result.text, index: piece.index + result.index, start: result.start },
              options,
              language,
            ) ?? [],
        ),
    )
    if (found.length > 0) return found
  }
  return undefined
}

/**
 * Its patterns take the square of a text's length: it is given a few short pieces, each beginning
 * with a word.
 */
function piecesOf(text: string): readonly { readonly text: string; readonly index: number }[] {
  const pieces = text.matchAll(/[\p{L}\p{N}][\s\S]{0,999}(?![\p{L}\p{N}])|[\p{L}\p{N}]{1000}/gu)
  return [...pieces.take(MOST_PIECES)].map((match) => ({ text: match[0], index: match.index }))
}

function secondReading(
  { text, index, start }: Pick<ParsedResult, 'text' | 'index' | 'start'>,
  { timeZone }: ReadWhenOptions,
  language: Language,
): When | undefined {
  const isDated = start.isCertain('day') || start.isCertain('weekday')
  const day = dayText(start.get('year') ?? 0, start.get('month') ?? 0, start.get('day') ?? 0)
  // dates in numbers it reads as Americans do
  if (!isDated || day === undefined || !/\p{L}{3}/u.test(text)) return undefined
  const time = start.isCertain('hour')
    ? wall(start.get('hour') ?? 0, start.get('minute') ?? 0)
    : undefined
  // a time that no clock shows there is none
  if (time !== undefined && Number.isNaN(atTime(day, time, timeZone))) return undefined
  return {
    text,
    index,
    spans: [{ start: index, end: index + text.length }],
    day,
    ...(time === undefined ? {} : { time }),
    isAllDay: time === undefined,
    timeZone,
    confidence: 0.5,
    timeConfidence: time === undefined ? 0 : 0.5,
    language,
  }
}
