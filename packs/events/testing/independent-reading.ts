import { addDays, type CalendarDay, dateParts, isoWeekday } from './calendar-day.ts'
import type { Language } from './generated-case.ts'

/**
 * The days that a text can mean, read independently of the generator: with the names from Intl and
 * without knowledge of the templates.
 */
export function possibleDays(
  text: string,
  language: Language,
  today: CalendarDay,
): ReadonlySet<CalendarDay> {
  const lower = text.toLowerCase().replace(/\s+/g, ' ')
  return new Set([...relativeDays(lower, language, today), ...namedDays(lower, language, today)])
}

// Longer phrases first: "the day after tomorrow" contains "tomorrow".
const RELATIVE: Readonly<Record<Language, readonly (readonly [RegExp, number])[]>> = {
  en: [
    [/the day after tomorrow/g, 2],
    [/two weeks from today/g, 14],
    [/tomorrow/g, 1],
    [/tonight/g, 0],
  ],
  de: [
    [/übermorgen/g, 2],
    [/heute in zwei wochen/g, 14],
    [/heute abend/g, 0],
    [/\bmorgen\b/g, 1],
  ],
  fr: [
    [/après-demain/g, 2],
    [/dans trois jours/g, 3],
    [/ce soir/g, 0],
    [/demain/g, 1],
  ],
  es: [
    [/pasado mañana/g, 2],
    [/dentro de tres días/g, 3],
    [/esta noche/g, 0],
    [/de la mañana/g, Number.NaN],
    [/mañana/g, 1],
  ],
}
const NEXT_WEEK = /next week|nächste woche|semaine prochaine|semana que viene/

function relativeDays(
  lower: string,
  language: Language,
  today: CalendarDay,
): readonly CalendarDay[] {
  let rest = lower
  return RELATIVE[language].flatMap(([pattern, offset]) => {
    if (!pattern.test(rest)) return []
    rest = rest.replaceAll(pattern, ' ')
    return Number.isNaN(offset) ? [] : [addDays(today, offset)]
  })
}

/** The written dates; without any, the days that a weekday alone can mean. */
function namedDays(lower: string, language: Language, today: CalendarDay): readonly CalendarDay[] {
  const year = Array.from({ length: 400 }, (_, offset) => addDays(today, offset))
  const written = new Set([...writtenDates(lower, language), ...numericDates(lower)])
  const dated = year.filter((day) => written.has(`${dateParts(day).month}-${dateParts(day).date}`))
  if (dated.length > 0) return dated
  const weekdays = calendarNames(language, 'weekday').flatMap(([long = ''], index) =>
    new RegExp(`(?<!\\p{L})${long}`, 'u').test(lower) ? [index + 1] : [],
  )
  const monday = addDays(today, 8 - isoWeekday(today))
  return year.filter((day) => {
    if (!weekdays.includes(isoWeekday(day)) || day === today) return false
    if (/month|monat|mois|mes\b/.test(lower)) return dateParts(day).date <= 7
    return NEXT_WEEK.test(lower)
      ? day >= monday && day < addDays(monday, 7)
      : day <= addDays(today, 6)
  })
}

/** The dates with the name of a month, including the first date of a range. */
function writtenDates(lower: string, language: Language): readonly string[] {
  return calendarNames(language, 'month').flatMap((names, index) => {
    const name = names.map((one) => one.replaceAll('.', '\\.')).join('|')
    const after = new RegExp(
      `(?<![\\d./])(\\d{1,2})(?:st|nd|rd|th|er|\\.)?\\s*(?:(?:–|bis|au|al)\\s*\\d{1,2}(?:er|\\.)?\\s*)?(?:de )?(?:${name})(?!\\p{L})`,
      'gu',
    )
    const before = new RegExp(`(?<!\\p{L})(?:${name})\\s+(\\d{1,2})(?!\\d)`, 'gu')
    return [...lower.matchAll(after), ...lower.matchAll(before)].map(
      ([, date]) => `${index + 1}-${Number(date)}`,
    )
  })
}

/** The numeric dates, in either order: the region decides which one is meant. */
function numericDates(lower: string): readonly string[] {
  const pairs = [...lower.matchAll(/(?<![\d./-])(\d{1,2})[./](\d{1,2})[./](?:\d{4})?(?!\d)/g)]
  const iso = [...lower.matchAll(/\d{4}-(\d{2})-(\d{2})/g)]
  return [
    ...pairs.flatMap(([, first, second]) => [
      `${Number(first)}-${Number(second)}`,
      `${Number(second)}-${Number(first)}`,
    ]),
    ...iso.map(([, month, date]) => `${Number(month)}-${Number(date)}`),
  ]
}

/** The names of months or weekdays, from January or Monday, in full and abbreviated. */
function calendarNames(
  language: Language,
  part: 'weekday' | 'month',
): readonly (readonly string[])[] {
  const forms = (['long', 'short'] as const).map(
    (form) =>
      new Intl.DateTimeFormat(language, {
        [part]: form,
        day: part === 'month' ? 'numeric' : undefined,
        timeZone: 'UTC',
      }),
  )
  const days =
    part === 'month'
      ? Array.from({ length: 12 }, (_, index) => Date.UTC(2024, index, 1))
      : Array.from({ length: 7 }, (_, index) => Date.UTC(2024, 0, index + 1))
  return days.map((day) =>
    forms.map((form) =>
      (form.formatToParts(day).find(({ type }) => type === part)?.value ?? '').toLowerCase(),
    ),
  )
}

const SPOKEN: readonly (readonly [RegExp, string])[] = [
  [/half past seven in the evening/, '19:30'],
  [/abend um halb acht/, '19:30'],
  [/heute abend um acht/, '20:00'],
  [/soir à huit heures/, '20:00'],
  [/esta noche a las nueve/, '21:00'],
  [/ocho y media de la tarde/, '20:30'],
]

/** The times that a text can mean: every number that may be an hour, as a.m. and p.m. if unclear. */
export function possibleTimes(text: string): ReadonlySet<string> {
  const lower = text.toLowerCase()
  const spoken = SPOKEN.flatMap(([pattern, time]) => (pattern.test(lower) ? [time] : []))
  const clock =
    /(?<![\d./$£€])(\d{1,2})(?:\s?[:.h]\s?(\d{2}))?(?!\d)\s?(am|pm|de la (?:tarde|noche|mañana))?/g
  const read = [...lower.matchAll(clock)].flatMap(([, hours, minutes = '00', half]) => {
    const hour = Number(hours)
    if (hour > 23) return []
    const isEarly = half === 'am' || half === 'de la mañana'
    const isLate = half !== undefined && !isEarly
    const found = isEarly
      ? [hour % 12]
      : isLate
        ? [(hour % 12) + 12]
        : hour <= 12
          ? [hour, (hour % 12) + 12]
          : [hour]
    return found.map((one) => `${String(one).padStart(2, '0')}:${minutes}`)
  })
  return new Set([...spoken, ...read])
}
