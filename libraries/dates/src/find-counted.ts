import { addDays, type Day, daysInMonth } from './civil.ts'
import { once } from './once.ts'
import { type DateSpan, findsOf, type Reading, type Span } from './reading.ts'
import { dayText } from './resolve-day.ts'
import { inWeek, nthOf } from './weekday.ts'
import type { Language } from './when.ts'
import { ALL_WORDS } from './words/all-words.ts'
import { countOf } from './words/relative-rules.ts'
import { anyOf, type Groups, type Words, words as wholeWords } from './words/words.ts'

/** Days counted within a month or a year: "first Monday in January", "Freitag KW 50". */
export function findCounted(reading: Reading): readonly DateSpan[] {
  return [...nthWeekdays(reading), ...daysOfWeeks(reading)]
}

const WEEK: Readonly<Record<Language, string>> = {
  en: 'calendar\\s+week|week|wk|cw',
  de: 'kw|kalenderwoche',
  fr: 'semaine|sem\\.?',
  es: 'semana',
}

type Patterns = { readonly nth: RegExp; readonly week: RegExp; readonly month: RegExp }

function makePatterns(words: Words): Patterns {
  const lead = `(?:${words.dayLead})`
  const position = `(?<pos>${anyOf(words.numbers.keys())}|[1-5](?:${words.ordinal}))`
  const any = anyOf([...words.shortWeekdays.keys(), ...words.weekdays.keys()])
  const month = `(?<mon>${anyOf(words.months.keys())})`
  const year = String.raw`(?:,?\s+(?:del?\s+)?(?<y>20\d{2}))?`
  return {
    nth: wholeWords(
      String.raw`(?:${lead}\s+)?${position}\s+(?<wd>${anyOf(words.weekdays.keys())})\s+(?:in|of|im|des|de|du|d'|en)\s*(?:the\s+|monat\s+)?${month}${year}`,
    ),
    week: wholeWords(
      String.raw`(?:(?:${lead}\s+)?(?<wd>${any})\.?,?\s+(?:(?:of|in|der|in\s+der|de\s+la|de)\s+)?)?(?<week>${WEEK[words.language]})\s*(?:(?:nr|no|n)[.°º]?\s*)?(?<n>[1-5]?\d)(?:\s*\/?\s*(?<y>20\d{2}))?(?:\s*[,(]?\s*(?:(?:on|am|le|el)\s+)?(?<wd2>${any})(?!\p{L}))?`,
    ),
    month: new RegExp(String.raw`^\s+(?:in|im|en|de|of)\s+${month}(?!\p{L})${year}`, 'u'),
  }
}

const PATTERNS: Readonly<Record<Language, () => Patterns>> = {
  en: once(() => makePatterns(ALL_WORDS.en)),
  de: once(() => makePatterns(ALL_WORDS.de)),
  fr: once(() => makePatterns(ALL_WORDS.fr)),
  es: once(() => makePatterns(ALL_WORDS.es)),
}

function nthWeekdays({ folded, words, from }: Reading): readonly DateSpan[] {
  const pattern = PATTERNS[words.language]().nth
  return findsOf(folded, pattern).flatMap(({ groups = {}, index, 0: found }): DateSpan[] => {
    const nth = countOf((groups.pos ?? '').replace(/(?<=\d)\D+$/, ''), words.numbers)
    const [weekday, month] = [
      words.weekdays.get(groups.wd ?? ''),
      words.months.get(groups.mon ?? ''),
    ]
    if (nth === undefined || nth > 5 || weekday === undefined || month === undefined) return []
    const day = soonestOf(groups, from.today, (year) => {
      const first = dayText(year, month, 1)
      return first === undefined ? undefined : nthOf(first, weekday, nth)
    })
    return day === undefined ? [] : [{ ...spanOf(index, found), ...day, ...SAID }]
  })
}

function daysOfWeeks({ folded, words, from }: Reading): readonly DateSpan[] {
  const weekdays = new Map([...words.shortWeekdays, ...words.weekdays])
  const pattern = PATTERNS[words.language]().week
  return findsOf(folded, pattern).flatMap(({ groups = {}, index, 0: found }): DateSpan[] => {
    const [weekday, week] = [weekdays.get(groups.wd ?? groups.wd2 ?? ''), Number(groups.n)]
    // "week 3" alone is the third of a course.
    const isPlain = /^(?:week|wk|semaine|sem\.?|semana)$/.test(groups.week ?? '')
    if (week < 1 || week > 53 || (isPlain && weekday === undefined)) return []
    const day = soonestOf(groups, from.today, (year) => {
      // The fourth of January is in the first week of its year.
      const fourth = dayText(year, 1, 4)
      return fourth === undefined ? undefined : inWeek(fourth, weekday ?? 1, week - 1)
    })
    if (day === undefined) return []
    const whole = weekday === undefined ? { endDay: addDays(day.day, 4) } : {}
    return [{ ...spanOf(index, found), ...day, ...whole, ...SAID }]
  })
}

const SAID = { certainty: 0.93, manner: 'written' } as const

/** In the year that is said, else in the first year in which it is still to come. */
function soonestOf(
  { y }: Groups,
  today: Day,
  dayIn: (year: number) => Day | undefined,
): Pick<DateSpan, 'day' | 'hasYear'> | undefined {
  const year = Number(y ?? today.slice(0, 4))
  const days = (y === undefined ? [year, year + 1, year + 2] : [year]).flatMap(
    (one) => dayIn(one) ?? [],
  )
  const day = y === undefined ? days.find((one) => one >= today) : days[0]
  return day === undefined ? undefined : { day, hasYear: y !== undefined }
}

function spanOf(start: number, found: string): Span {
  return { start, end: start + found.length }
}

/** The month right behind a series, in which it takes place: "every Tuesday in December". */
export function monthAfter(
  { end }: Span,
  { folded, words, from: { today } }: Reading,
): DateSpan | undefined {
  const match = PATTERNS[words.language]().month.exec(folded.slice(end, end + 40))
  const month = words.months.get(match?.groups?.mon ?? '')
  if (match === null || month === undefined) return undefined
  const last = soonestOf(match.groups ?? {}, today, (year) => {
    const first = dayText(year, month, 1)
    return first === undefined ? undefined : addDays(first, daysInMonth(first) - 1)
  })
  if (last === undefined) return undefined
  const first = `${last.day.slice(0, 8)}01`
  return {
    start: end,
    end: end + match[0].length,
    day: first < today ? today : first,
    endDay: last.day,
    hasYear: last.hasYear,
    certainty: 0.9,
    manner: 'written',
  }
}
