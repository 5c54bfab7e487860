import { once } from './once.ts'
import { endsAlone, MOST_FINDS, overlaps, type Reading, type Span } from './reading.ts'
import type { Language } from './when.ts'
import { ALL_WORDS } from './words/all-words.ts'
import { countOf } from './words/relative-rules.ts'
import { anyOf, type Groups, type Part, type Words } from './words/words.ts'

/** An hour as it stands there, before anybody knows whether it is in the morning. */
export type Clock = {
  readonly hour: number
  readonly minute: number
  readonly half?: 'am' | 'pm'
  /** Written as 24 hours are: 08:00, 20 Uhr, 19h. */
  readonly isPlain: boolean
  /** Written with its minutes: 7:30. */
  readonly isExact?: boolean
}

export type TimeSpan = Span & {
  /** Where the hour itself begins, behind "at" or "from". */
  readonly at: number
  readonly clock: Clock
  readonly until?: Clock
  readonly part?: Part
  /** What the words beside it say it is. */
  readonly role?: 'doors' | 'start' | 'end'
  readonly certainty: number
}

const BEFORE = String.raw`(?<![\p{L}\p{N}]|\d[.,:/]|[€$£+]\s?|\d-)`

/** Every time of a text, outside what is taken already. */
export function findTimes(reading: Reading, taken: readonly Span[]): readonly TimeSpan[] {
  const pattern = new RegExp(PATTERNS[reading.words.language]())
  const found: TimeSpan[] = []
  for (
    let match = pattern.exec(reading.folded);
    match !== null && found.length < MOST_FINDS;
    match = pattern.exec(reading.folded)
  ) {
    const read = readTime(match, reading).find(
      (time) =>
        taken.every((span) => !overlaps(span, time)) && isTime(time, match, { reading, taken }),
    )
    if (read !== undefined) found.push(read)
    // what was no time may hide one behind its first sign
    pattern.lastIndex = read?.end ?? match.index + 1
  }
  return found
}

type Around = { readonly reading: Reading; readonly taken: readonly Span[] }

// "Midnight Orchestra" plays at eight; midnight is a time behind "at", in a range, or right beside
// its date
function isTime(time: TimeSpan, { groups }: RegExpExecArray, { reading, taken }: Around): boolean {
  if (groups?.named1 === undefined || groups.lead !== undefined || time.until !== undefined)
    return true
  const isBeside = (from: number, to: number) =>
    from <= to && /^[\s,]{0,2}(?:al?|at|zu|um)?\s?$/.test(reading.folded.slice(from, to))
  return taken.some((span) => isBeside(span.end, time.start) || isBeside(time.end, span.start))
}

const PATTERNS: Readonly<Record<Language, () => RegExp>> = {
  en: once(() => makePattern(ALL_WORDS.en)),
  de: once(() => makePattern(ALL_WORDS.de)),
  fr: once(() => makePattern(ALL_WORDS.fr)),
  es: once(() => makePattern(ALL_WORDS.es)),
}

function makePattern(words: Words): RegExp {
  const hours = [...words.numbers]
    .filter(([word, number]) => number >= 1 && number <= 12 && !/^(?:a|an|eine?[mr]?)$/.test(word))
    .map(([word]) => word)
  const clock = (nth: 1 | 2) =>
    String.raw`(?:(?<named${nth}>${anyOf(words.namedHours.keys())})(?!\p{L})|` +
    (words.fractionsBefore.size === 0
      ? ''
      : String.raw`(?:(?<before${nth}>${anyOf(words.fractionsBefore.keys())})\s+)?`) +
    String.raw`(?<h${nth}>[01]?\d|2[0-4]|${anyOf(hours)})(?![\d])(?:(?<sep${nth}>:|\.|\s?h\s?|\s?uhr\s?|\s?heures?\s)(?<m${nth}>[0-5]\d)(?!\d|\s?(?:€|£|eur(?!\p{L})|chf(?!\p{L}))))?(?:\s?(?<s${nth}>${words.hourSuffix})(?!\p{L}))?` +
    (words.fractionsAfter.size === 0
      ? ''
      : String.raw`(?:(?:[^\S\n]|-)+(?<after${nth}>${anyOf(words.fractionsAfter.keys())})(?!\p{L}))?`) +
    ')'
  const lead = String.raw`(?:(?<lead>(?<![\p{L}\p{N}])(?:${words.hourLead}))\s*)?`
  const to = String.raw`(?:\s*(?<to>${words.to}|${words.and})\s*${words.secondLead}(?:um\s+|a\s+las\s+)?${clock(2)})?`
  const part = String.raw`(?:,?[^\S\n]+(?<part>${anyOf(words.parts.keys())})(?!\p{L}))?`
  return new RegExp(`${BEFORE}${lead}${clock(1)}(?![\\d])${to}${part}`, 'gu')
}

/** As a range, and as its first hour alone: the rest may belong to a date. */
function readTime(match: RegExpExecArray, reading: Reading): readonly TimeSpan[] {
  const groups: Groups = match.groups ?? {}
  const [first, second] = [clockOf(groups, 1, reading.words), clockOf(groups, 2, reading.words)]
  if (first === undefined) return []
  const start = match.index
  const at = start + (groups.lead?.length ?? 0)
  const part =
    groups.part === undefined ? undefined : reading.words.parts.get(removeSpaces(groups.part))
  const end = start + match[0].trimEnd().length
  const alone = aloneOf({ start, end, at, first, part, match }, groups, reading)
  if (second === undefined || !isRange(groups, reading)) return alone === undefined ? [] : [alone]
  const range = {
    start,
    end,
    at,
    clock: first.clock,
    until: second.clock,
    ...(part === undefined ? {} : { part }),
    certainty: 0.95,
  }
  return alone === undefined ? [range] : [range, alone]
}

type Alone = {
  readonly start: number
  readonly end: number
  readonly at: number
  readonly first: ReadClock
  readonly match: RegExpExecArray
  readonly part: Part | undefined
}

function aloneOf(
  { start, end, at, first, part, match }: Alone,
  groups: Groups,
  reading: Reading,
): TimeSpan | undefined {
  const stop = groups.to === undefined ? end : endOfFirst(start, groups, reading)
  const isSure = first.isTimelike || (groups.to === undefined && part !== undefined)
  const isLed = isLedHour(groups, reading.words) && endsAlone(reading, stop)
  if (!isSure && !isLed && !isSetApart(match, stop, reading)) return undefined
  const said = groups.to === undefined && part !== undefined ? { part } : {}
  return { start, end: stop, at, clock: first.clock, ...said, certainty: isSure ? 0.95 : 0.8 }
}

function endOfFirst(start: number, groups: Groups, { folded }: Reading): number {
  const parts = [
    groups.lead,
    groups.named1,
    groups.before1,
    groups.h1,
    groups.sep1,
    groups.m1,
    groups.s1,
    groups.after1,
  ]
  let end = start
  for (const part of parts) if (part !== undefined) end = folded.indexOf(part, end) + part.length
  return end
}

// "7-9" and "from 7 to 9" need something that says they are hours
function isRange(groups: Groups, { words }: Reading): boolean {
  const [first, second] = [clockOf(groups, 1, words), clockOf(groups, 2, words)]
  if (first === undefined || second === undefined) return false
  const isJoined =
    new RegExp(`^(?:${words.to})$`, 'u').test(groups.to ?? '') ||
    /^(?:entre|zwischen|between|btwn)/.test(groups.lead ?? '')
  if (!isJoined) return false
  return (
    second.isTimelike ||
    groups.part !== undefined ||
    (first.isTimelike && (groups.lead !== undefined || groups.m2 !== undefined)) ||
    isClear(groups) ||
    isDotted(groups)
  )
}

// "10.00-17.00" and "10-11.30" are hardly prices
function isDotted({ m1, m2, sep1, sep2 }: Groups): boolean {
  const isQuarter = /^(?:00|15|30|45)$/.test(m2 ?? '')
  return sep2 === '.' && (sep1 === undefined ? isQuarter : /[05]$/.test(`${m1}`) && sep1 === '.')
}

// "Salida 12.00", "same time 7.15"
const HOUR_BEFORE =
  /(?<!\p{L})(?:salida|hora|depart|abfahrt|beginn|anpfiff|anstoss|heure|uhrzeit|time|meet|kick-?off)\s?:?\s{1,4}$/u

// "Bundobust, 7.30?", "Sunday 15 March, 11.30 Mass": between a comma and a word or the end
function isSetApart({ index, groups }: RegExpExecArray, stop: number, reading: Reading): boolean {
  return (
    groups?.sep1 === '.' &&
    /^(?:00|15|30|45)$/.test(groups.m1 ?? '') &&
    ((/(?:^|[,\n])\s*$/.test(reading.folded.slice(Math.max(0, index - 3), index)) &&
      endsAlone(reading, stop)) ||
      HOUR_BEFORE.test(reading.folded.slice(Math.max(0, index - 20), index)) ||
      /^\s(?:sharp|prompt|start(?!\p{L})|kick-?off)/u.test(reading.folded.slice(stop, stop + 12)))
  )
}

// "entre las 7 y las 9", "von 19 bis 22": said of hours alone, or nearly
function isClear({ lead, to }: Groups): boolean {
  return (
    /las?$/.test(lead ?? '') ||
    (/^(?:at|@|from|between|btwn|zwischen)$/.test(lead ?? '') && (to !== '-' || lead === 'at'))
  )
}

function isLedHour(groups: Groups, words: Words): boolean {
  if (groups.lead === undefined || words.language === 'fr') return false
  if (words.language === 'es') return /las?$/.test(groups.lead)
  if (words.language === 'de')
    return !/^(?:von|zwischen|bis|ab)$/.test(groups.lead) || /^\d+$/.test(groups.h1 ?? '')
  return !/^(?:by|between|btwn|around|about|until|till)$/.test(groups.lead)
}

type ReadClock = { readonly clock: Clock; readonly isTimelike: boolean }

function clockOf(groups: Groups, nth: 1 | 2, words: Words): ReadClock | undefined {
  const named = groups[`named${nth}`]
  if (named !== undefined)
    return {
      clock: { hour: words.namedHours.get(named) ?? 0, minute: 0, isPlain: true },
      isTimelike: true,
    }
  const [text, minutes, suffix, separator] = [
    groups[`h${nth}`],
    groups[`m${nth}`],
    groups[`s${nth}`],
    groups[`sep${nth}`],
  ]
  const hour = countOf(text, words.numbers)
  if (text === undefined || hour === undefined || hour > 24) return undefined
  const half: Clock['half'] =
    suffix === undefined
      ? undefined
      : /^a\.?\s?m/.test(suffix)
        ? 'am'
        : /^p\.?\s?m/.test(suffix)
          ? 'pm'
          : undefined
  if (half !== undefined && (hour > 12 || hour === 0)) return undefined
  const fraction =
    words.fractionsBefore.get(removeSpaces(groups[`before${nth}`])) ??
    words.fractionsAfter.get(removeSpaces(groups[`after${nth}`]))
  const sum = hour * 60 + (minutes === undefined ? 0 : Number(minutes)) + (fraction ?? 0)
  // "halb eins" is half past twelve
  const total = fraction !== undefined && sum >= 0 && sum < 60 && hour === 1 ? sum + 720 : sum
  const isCounted = suffix !== undefined || /h|uhr/.test(separator ?? '')
  const isPlain =
    half === undefined &&
    fraction === undefined &&
    (hour > 12 || hour === 0 || /^0\d/.test(text) || (isCounted && words.suffixIsPlain))
  const clock = {
    hour: Math.floor((total + 1440) / 60) % 24,
    minute: (total + 1440) % 60,
    ...(half === undefined ? {} : { half }),
    isPlain,
    isExact: separator === ':',
  }
  // 7.30 is a time only with something behind or before it
  const isTimelike = isCounted || fraction !== undefined || separator === ':'
  return { clock: hour === 24 ? { ...clock, hour: 0 } : clock, isTimelike }
}

function removeSpaces(text: string | undefined): string {
  return (text ?? '').replace(/\s+/g, ' ')
}
