import { findAsides } from './asides.ts'
import { type Anchor, attach, isIn, withAsides, withRoles } from './attach.ts'
import { timeOf } from './civil.ts'
import { findDates } from './find-dates.ts'
import { soonest } from './find-relative.ts'
import { findRepeats } from './find-repeats.ts'
import { findTimes, type TimeSpan } from './find-times.ts'
import { likelihood } from './guess-language.ts'
import { hourOf, type Mood, tendency } from './hour-of.ts'
import { type Reading, readingOf } from './reading.ts'
import { readBySecond } from './second-reader.ts'
import { joinSeries } from './series.ts'
import { toWhen } from './to-when.ts'
import type { Language, ReadWhenOptions, When } from './when.ts'
import { ALL_WORDS } from './words/all-words.ts'

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
  return whens.toSorted((one, other) => one.index - other.index)
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
