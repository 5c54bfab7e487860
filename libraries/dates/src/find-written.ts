import { dayOfWeek } from './civil.ts'
import { once } from './once.ts'
import { type DateSpan, endsAlone, findsOf, type Reading } from './reading.ts'
import { dayText, resolveDay, resolveNumber } from './resolve-day.ts'
import type { Language } from './when.ts'
import { ALL_WORDS } from './words/all-words.ts'
import { anyOf, type Groups, type Words } from './words/words.ts'

const D = '(?:0?[1-9]|[12]\\d|3[01])'
const MO = '(?:0?[1-9]|1[0-2])'
const YEAR = String.raw`(?:(?:19|20)\d{2}|'\d{2})`
// not part of a longer number, a price or a phone
const BEFORE = String.raw`(?<![\p{L}\p{N}]|\d[.,:/-]|[€$£])`

type Form = 'dayMonth' | 'monthDay' | 'dots' | 'slashes' | 'iso' | 'number'
type Pattern = { readonly form: Form; readonly pattern: RegExp }

/** Dates with their month, or with at least their number. */
export function findWritten(reading: Reading): readonly DateSpan[] {
  return PATTERNS[reading.words.language]().flatMap(({ form, pattern }) =>
    findsOf(reading.folded, pattern).flatMap((match) => read(form, match, reading) ?? []),
  )
}

function makePatterns(words: Words): readonly Pattern[] {
  const month = String.raw`(?<mon>${anyOf(words.months.keys())})(?!\p{L})\.?`
  const ordinal = String.raw`(?:\s?(?:${words.ordinal})(?!\p{L}))?`
  const any = anyOf([...words.weekdays.keys(), ...words.shortWeekdays.keys()])
  const weekdayBefore = String.raw`(?:(?<![\p{L}\p{N}])(?<wd>${any})(?:s)?[.,]?\s*[,|-]?\s*${words.article})?`
  const weekdayBetween = String.raw`(?:(?:${any})[.,]?\s+)?${words.article}`
  const weekdayAfter = String.raw`(?:\s*[(,]\s*(?<wdAfter>${any})\.?\)?(?!\p{L}))?`
  const join = String.raw`\s*(?:${words.to}|${words.and})\s*`
  const notTime = String.raw`(?!\d|[:.]\d|\s?(?:${words.hourSuffix})(?!\p{L}))`
  const year = String.raw`(?:(?:\s*,|\s+del?|-|\.)?\s*(?<y>${YEAR})(?![\d:]|[.,]\d|\s?(?:${words.hourSuffix})(?!\p{L})))?`
  const twoDigitYear = String.raw`(?:\s?(?<y>(?:19|20)\d{2}|\d{2})(?!\d|[:.,]\d|:|\s?(?:${words.hourSuffix}|€|eur)(?!\p{L})|\s?-\s?\d{1,2}(?:[:.]\d\d|\s?uhr)))?`
  const make = (form: Form, source: string): Pattern => ({
    form,
    pattern: new RegExp(BEFORE + source, 'gu'),
  })
  return [
    make(
      'dayMonth',
      `${weekdayBefore}(?:(?:(?<d00>${D})${ordinal},\\s?(?:${D}${ordinal},\\s?){0,4})?(?<d0>${D})${ordinal}${join}${weekdayBetween})?(?<d>${D})${ordinal}(?:${words.ofMonth})${month}${year}${weekdayAfter}`,
    ),
    make(
      'monthDay',
      `${weekdayBefore}${month}\\s*(?:the\\s+)?(?<d0>${D})${ordinal}${notTime}(?:${join}${weekdayBetween}(?<d>${D})${ordinal}${notTime}(?!\\s*(?:${anyOf(words.months.keys())})(?!\\p{L})))?${year}${weekdayAfter}`,
    ),
    make(
      'dots',
      String.raw`${weekdayBefore}(?:(?<d0>${D})(?:\.\s?(?<m0>${MO})(?!\d)\.?(?:\s?(?:(?:19|20)\d{2}|\d{2}))?|\.?)${join}${weekdayBetween})?(?<d>${D})\.\s?(?<m>${MO})(?!\d|\s?(?:${words.hourSuffix})(?!\p{L}))(?<dot>\.)?${twoDigitYear}${weekdayAfter}`,
    ),
    make(
      'slashes',
      String.raw`${weekdayBefore}(?:(?<a0>\d{1,2})\/(?<b0>\d{1,2})${join}${weekdayBetween})?(?<a>\d{1,2})(?<sep>[/-])(?<b>\d{1,2})(?:\k<sep>(?<y>\d{4}|\d{2}))?(?![\d/:]|-\d)${weekdayAfter}`,
    ),
    // "Wed 9 / 12 / 26", by hand on a card
    make(
      'slashes',
      String.raw`${weekdayBefore}(?<a>\d{1,2})\s(?<sep>\/)\s(?<b>\d{1,2})\s\/\s(?<y>\d{4}|\d{2})(?![\d/:])`,
    ),
    make(
      'iso',
      String.raw`${weekdayBefore}(?<y>(?:19|20)\d{2})[-/.](?<m>${MO})[-/.](?<d>${D})(?!\d)`,
    ),
    make(
      'number',
      String.raw`(?<wd>${any})[.,]?\s+${words.article}(?<d>${D})(?<ord>${ordinal})(?!-\d)${notTime}`,
    ),
    make('number', String.raw`(?:${words.dayLead})\s+(?<d>${D})(?<ord>${ordinal})${notTime}`),
  ]
}

const PATTERNS: Readonly<Record<Language, () => readonly Pattern[]>> = {
  en: once(() => makePatterns(ALL_WORDS.en)),
  de: once(() => makePatterns(ALL_WORDS.de)),
  fr: once(() => makePatterns(ALL_WORDS.fr)),
  es: once(() => makePatterns(ALL_WORDS.es)),
}

function read(form: Form, match: RegExpExecArray, reading: Reading): DateSpan | undefined {
  const groups: Groups = match.groups ?? {}
  const span = { start: match.index, end: match.index + match[0].trimEnd().length }
  switch (form) {
    case 'dayMonth':
    case 'monthDay':
      return readNamedDate(groups, span, reading, form)
    case 'dots':
      return readDottedDate(groups, span, reading)
    case 'slashes':
      return readSlashedDate(groups, span, reading)
    case 'iso':
      return toDateSpan(
        {
          days: [Number(groups.d)],
          month: Number(groups.m),
          year: groups.y,
          weekday: weekdayIn(groups, reading),
        },
        span,
        reading,
      )
    case 'number':
      return readNumberedDate(groups, span, reading)
  }
}

type At = { readonly start: number; readonly end: number }

function readNamedDate(
  groups: Groups,
  span: At,
  reading: Reading,
  form: 'dayMonth' | 'monthDay',
): DateSpan | undefined {
  const month = reading.words.months.get(groups.mon ?? '')
  if (month === undefined) return undefined
  const days = [groups.d00 ?? groups.d0, groups.d].flatMap((day) =>
    day === undefined ? [] : [Number(day)],
  )
  const year = groups.y?.startsWith("'") ? `20${groups.y.slice(1)}` : groups.y
  // "we may 3 times …"
  if (
    form === 'monthDay' &&
    groups.y === undefined &&
    groups.wd === undefined &&
    (!endsAlone(reading, span.end) || isNextLines(span, reading))
  )
    return undefined
  const found = toDateSpan(
    { days, month, year, weekday: weekdayIn(groups, reading) },
    span,
    reading,
  )
  return found !== undefined && form === 'monthDay' && reading.words.language !== 'en'
    ? { ...found, certainty: found.certainty * 0.9 }
    : found
}

function readDottedDate(groups: Groups, span: At, reading: Reading): DateSpan | undefined {
  const weekday = weekdayIn(groups, reading)
  // 20.30 is a time and 12.50 a price, unless something says that it is a day
  const isSaid =
    groups.y !== undefined ||
    groups.dot !== undefined ||
    weekday !== undefined ||
    isLed(span.start, reading)
  if (!isSaid) return undefined
  const month = Number(groups.m)
  const first =
    groups.d0 === undefined
      ? undefined
      : { day: Number(groups.d0), month: groups.m0 === undefined ? month : Number(groups.m0) }
  return fromParts(
    { first, last: { day: Number(groups.d), month }, year: groups.y, weekday },
    span,
    reading,
  )
}

function readSlashedDate(groups: Groups, span: At, reading: Reading): DateSpan | undefined {
  const [a, b] = [Number(groups.a), Number(groups.b)]
  const weekday = weekdayIn(groups, reading)
  if (groups.y === undefined && groups.sep === '-') return undefined
  if (
    groups.y === undefined &&
    weekday === undefined &&
    /^(?:24\/7|1\/2|1\/4|3\/4|9\/11)$/.test(`${a}/${b}`)
  )
    return undefined
  const isMonthFirst = a > 12 ? false : b > 12 ? true : isMonthBefore(groups, weekday, reading)
  const [day, month] = isMonthFirst ? [b, a] : [a, b]
  const first =
    groups.a0 === undefined
      ? undefined
      : {
          day: Number(isMonthFirst ? groups.b0 : groups.a0),
          month: Number(isMonthFirst ? groups.a0 : groups.b0),
        }
  const found = fromParts({ first, last: { day, month }, year: groups.y, weekday }, span, reading)
  // 3/4 could be either, unless the weekday agrees
  const isEither =
    a <= 12 && b <= 12 && a !== b && weekday === undefined && reading.words.language === 'en'
  return found === undefined
    ? undefined
    : { ...found, certainty: found.certainty * (isEither ? 0.7 : groups.y === undefined ? 0.9 : 1) }
}

// the weekday decides, where it fits one order alone
function isMonthBefore(
  { a, b, y }: Groups,
  weekday: number | undefined,
  { order, from }: Reading,
): boolean {
  const fits = (month: string | undefined, day: string | undefined) => {
    const year = y === undefined ? {} : { year: Number(y.length === 2 ? `20${y}` : y) }
    const read = resolveDay({ month: Number(month), day: Number(day), ...year }, from)
    return read !== undefined && dayOfWeek(read.day) === weekday
  }
  const [american, other] = [fits(a, b), fits(b, a)]
  return weekday === undefined || american === other ? order === 'monthFirst' : american
}

function readNumberedDate(groups: Groups, span: At, reading: Reading): DateSpan | undefined {
  const weekday = weekdayIn(groups, reading)
  const hasOrdinal = (groups.ord ?? '') !== ''
  const needsOrdinal = reading.words.language === 'en' || reading.words.language === 'de'
  if (!hasOrdinal && ((needsOrdinal && weekday === undefined) || !endsAlone(reading, span.end)))
    return undefined
  if (isNextLines(span, reading)) return undefined
  const resolved = resolveNumber(Number(groups.d), weekday, reading.from)
  // "Friday 8" is the eighth only if that is a Friday soon
  if (resolved === undefined || (!hasOrdinal && resolved.certainty < 0.5)) return undefined
  return { ...span, ...resolved, manner: 'number', hasYear: false }
}

// "Saturday", and on the next line "12 bands"
function isNextLines({ start, end }: At, { folded }: Reading): boolean {
  return (
    folded.slice(start, end).includes('\n') &&
    /^[^\S\n]*[\p{L}\d]/u.test(folded.slice(end, end + 20))
  )
}

type Parts = {
  readonly first: { readonly day: number; readonly month: number } | undefined
  readonly last: { readonly day: number; readonly month: number }
  readonly year: string | undefined
  readonly weekday: number | undefined
}

function fromParts(
  { first, last, year, weekday }: Parts,
  span: At,
  reading: Reading,
): DateSpan | undefined {
  if (first === undefined || first.month === last.month) {
    const days = first === undefined ? [last.day] : [first.day, last.day]
    return toDateSpan({ days, month: last.month, year, weekday }, span, reading)
  }
  const end = toDateSpan(
    { days: [last.day], month: last.month, year, weekday: undefined },
    span,
    reading,
  )
  if (end === undefined) return undefined
  const endYear = Number(end.day.slice(0, 4))
  const day = dayText(first.month > last.month ? endYear - 1 : endYear, first.month, first.day)
  return day === undefined ? undefined : { ...end, day, endDay: end.day }
}

type Placing = {
  readonly days: readonly number[]
  readonly month: number
  readonly year: string | undefined
  readonly weekday: number | undefined
}

/** One day, or the first and the last of several. The weekday before them is the first's. */
function toDateSpan(
  { days, month, year, weekday }: Placing,
  span: At,
  reading: Reading,
): DateSpan | undefined {
  const [day, last] = days
  if (day === undefined || month < 1 || month > 12) return undefined
  const fullYear = year === undefined ? undefined : Number(year.length === 2 ? `20${year}` : year)
  const written = {
    month,
    day,
    ...(fullYear === undefined ? {} : { year: fullYear }),
    ...(weekday === undefined ? {} : { weekday }),
  }
  const resolved = resolveDay(written, reading.from)
  if (resolved === undefined) return undefined
  const hasYear = fullYear !== undefined
  const endDay =
    last === undefined ? undefined : dayText(Number(resolved.day.slice(0, 4)), month, last)
  if (last !== undefined && (endDay === undefined || endDay <= resolved.day)) return undefined
  return {
    ...span,
    ...resolved,
    ...(endDay === undefined ? {} : { endDay }),
    manner: 'written',
    hasYear,
  }
}

function weekdayIn(groups: Groups, { words }: Reading): number | undefined {
  const name = groups.wd ?? groups.wdAfter
  return name === undefined
    ? undefined
    : (words.weekdays.get(name) ?? words.shortWeekdays.get(name))
}

function isLed(start: number, { folded, words }: Reading): boolean {
  return new RegExp(
    String.raw`(?:${words.dayLead}|${words.until}|${words.starting})\s+$`,
    'u',
  ).test(folded.slice(Math.max(0, start - 30), start))
}
