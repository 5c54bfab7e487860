import { ToolError } from '@surehand/core'
import ICAL from 'ical.js'
import type { Temporal } from 'temporal-polyfill'
import { LONGEST_RULE, MOST_EXTRA_TIMES, MOST_RULES } from './bounds.ts'
import type { CalendarTime, Recurrence } from './calendar-item.ts'
import { isTimeZone } from './calendar-time.ts'
import { evenSeries, numbersIn } from './even-series.ts'
import { timesOf } from './read-time.ts'
import { timeParameters, timeValue } from './write-time.ts'

// what happens every minute is no appointment, and costs as much as a year of days to look through
const RULE =
  /^(?:[A-Z-]+=[A-Z0-9,:+-]+;)*FREQ=(?:YEARLY|MONTHLY|WEEKLY|DAILY|HOURLY)(?:;[A-Z-]+=[A-Z0-9,:+-]+)*$/

/** The rule as it is written in a calendar, or an error of the table. */
export function readRule(text: string): string {
  const rule = text.toUpperCase().replace(/^RRULE:/, '')
  if (rule.length > LONGEST_RULE || !RULE.test(rule)) throw notARule(text)
  try {
    const read = ICAL.Recur.fromString(rule)
    if ((read.count !== null && read.until !== null) || read.interval < 1 || read.count === 0)
      throw notARule(text)
  } catch (cause) {
    throw notARule(text, cause)
  }
  return rule
}

/** `RRULE:…`, `EXDATE…:…` and `RDATE…:…`, as Google and CanonicalEvent write what happens again. */
export function readRecurrence(lines: readonly string[]): Recurrence {
  if (lines.length > MOST_RULES) throw notARule(`${lines.length} lines`)
  const rules: string[] = []
  const additions: CalendarTime[] = []
  const exceptions: CalendarTime[] = []
  for (const line of lines) {
    const name = /^[A-Z]+/i.exec(line)?.[0].toUpperCase()
    if (name === 'EXDATE') exceptions.push(...timesOn(line))
    else if (name === 'RDATE') additions.push(...timesOn(line))
    else rules.push(readRule(line))
  }
  if (additions.length + exceptions.length > MOST_EXTRA_TIMES)
    throw notARule(`${additions.length + exceptions.length} times`)
  return { rules, additions, exceptions }
}

/** The same, as lines. */
export function writeRecurrence({ rules, additions, exceptions }: Recurrence): readonly string[] {
  return [
    ...rules.map((rule) => `RRULE:${rule}`),
    ...additions.map((time) => `RDATE${timeParameters(time)}:${timeValue(time)}`),
    ...exceptions.map((time) => `EXDATE${timeParameters(time)}:${timeValue(time)}`),
  ]
}

function timesOn(line: string): readonly CalendarTime[] {
  try {
    return timesOf(ICAL.Property.fromString(line), (name) => (isTimeZone(name) ? name : undefined))
  } catch (cause) {
    throw notARule(line, cause)
  }
}

function notARule(text: string, cause?: unknown): ToolError {
  const message = `"${text.slice(0, 80)}" is not a recurrence. Write it as in iCalendar, for example RRULE:FREQ=WEEKLY;BYDAY=TU;COUNT=10.`
  return new ToolError('TOOL_INVALID_FIELD_VALUE', message, { cause })
}

type Stretch = { readonly fromMs: number; readonly toMs: number }

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const PERIOD_MS: Readonly<Record<string, number>> = {
  HOURLY: HOUR_MS,
  DAILY: DAY_MS,
  WEEKLY: 7 * DAY_MS,
  MONTHLY: 28 * DAY_MS,
  YEARLY: 365 * DAY_MS,
}
/** Each makes more times of one period, as many as it lists. */
const MULTIPLIERS = [
  'BYHOUR',
  'BYMINUTE',
  'BYSECOND',
  'BYDAY',
  'BYMONTHDAY',
  'BYYEARDAY',
  'BYMONTH',
  'BYWEEKNO',
]
/** With one of these a rule may look through many periods before it finds its next time. */
const SIEVE = /(?:^|;)BY(?:MONTH|MONTHDAY|YEARDAY|WEEKNO|SETPOS)=/
/** What the least of rules costs, and how much dearer a time is that has to be counted. */
const LEAST = 5
const COUNTED = 4

/** Each makes more times of one day. */
const CLOCK = ['BYHOUR', 'BYMINUTE', 'BYSECOND']
const DAY_LISTS = ['BYDAY', 'BYMONTHDAY', 'BYYEARDAY']

/** How many times a rule of several times a day may have in a stretch, at most; 0 for any other. */
export function denseTimes(
  rule: string,
  start: Temporal.ZonedDateTime,
  { fromMs, toMs }: Stretch,
): number {
  const parts = partsOf(rule)
  const isHourly = parts.get('FREQ') === 'HOURLY'
  const hours = isHourly
    ? Math.min(24 / Number(parts.get('INTERVAL') ?? 1), countListed(parts, 'BYHOUR') ?? 24)
    : 1
  const eachDay = hours * timesEach(parts, isHourly ? CLOCK.slice(1) : CLOCK)
  if (eachDay <= 1) return 0
  const stretchMs = Math.max(
    0,
    Math.min(toMs, untilMs(parts)) - Math.max(start.epochMilliseconds, fromMs),
  )
  const days = daysAmong(stretchMs / DAY_MS, parts)
  return Math.min(Math.ceil(days * eachDay), Number(parts.get('COUNT') ?? Number.POSITIVE_INFINITY))
}

// no zone is a whole day from UTC, and a day that is named is in it to its end
function untilMs(parts: Parts): number {
  const [, year, month, day] = /^(\d{4})(\d{2})(\d{2})/.exec(parts.get('UNTIL') ?? '') ?? []
  return day === undefined
    ? Number.POSITIVE_INFINITY
    : Date.UTC(Number(year), Number(month) - 1, Number(day)) + 2 * DAY_MS
}

/**
 * On how many of so many days a rule may fall, at most: each of its lists leaves days out, and so
 * does its period.
 */
function daysAmong(days: number, parts: Parts): number {
  // a stretch may begin and end in the midst of a period
  const countTouched = (periodDays: number): number =>
    days === 0 ? 0 : Math.ceil(days / periodDays) + 1
  const within = (name: string, periodDays: number): number =>
    countTouched(periodDays) * (countListed(parts, name) ?? Number.POSITIVE_INFINITY)
  const periodDays = (PERIOD_MS[parts.get('FREQ') ?? ''] ?? HOUR_MS) / DAY_MS
  return Math.min(
    days,
    within('BYDAY', 7),
    within('BYMONTHDAY', 28),
    within('BYYEARDAY', 365),
    within('BYMONTH', 365) * 31,
    countTouched(periodDays * Number(parts.get('INTERVAL') ?? 1)) * daysEach(parts),
  )
}

/**
 * How many days one period of a rule has, at most. Those of a list are reckoned where the list is,
 * but a week's.
 */
function daysEach(parts: Parts): number {
  const frequency = parts.get('FREQ')
  if (frequency === 'HOURLY' || frequency === 'DAILY') return 1
  if (frequency === 'WEEKLY') return countListed(parts, 'BYDAY') ?? 1
  if (DAY_LISTS.some((name) => parts.has(name))) return Number.POSITIVE_INFINITY
  const weeks = countListed(parts, 'BYWEEKNO')
  return timesEach(parts, ['BYMONTH']) * (weeks === undefined ? 1 : 7 * weeks)
}

/**
 * How many times of a rule have to be looked at for a stretch, at most. One that counts is counted
 * from its beginning, and so is one of every few hours; any other is looked at where the stretch
 * is.
 */
export function ruleWork(
  rule: string,
  start: Temporal.ZonedDateTime,
  { fromMs, toMs }: Stretch,
): number {
  const even = evenSeries(rule, start, toMs)
  if (even !== undefined) {
    const [first, last] = numbersIn(even, start, { fromMs, toMs })
    return Math.max(1, last - first)
  }
  const parts = partsOf(rule)
  const periodMs =
    (PERIOD_MS[parts.get('FREQ') ?? ''] ?? HOUR_MS) * Number(parts.get('INTERVAL') ?? 1)
  const count = Number(parts.get('COUNT') ?? Number.POSITIVE_INFINITY)
  const begins =
    Number.isFinite(count) || parts.get('FREQ') === 'HOURLY'
      ? start.epochMilliseconds
      : Math.max(start.epochMilliseconds, fromMs)
  const periods = Math.max(0, toMs - begins) / periodMs
  const each = timesEach(parts, MULTIPLIERS)
  const times = Math.ceil(periods * each)
  return (
    LEAST +
    (SIEVE.test(rule) ? times : Math.min(times, count)) * (Number.isFinite(count) ? COUNTED : 1)
  )
}

type Parts = ReadonlyMap<string, string | undefined>

function partsOf(rule: string): Parts {
  return new Map(rule.split(';').map((part) => part.split('=') as [string, string | undefined]))
}

function timesEach(parts: Parts, names: readonly string[]): number {
  return names.reduce((product, name) => product * (countListed(parts, name) ?? 1), 1)
}

function countListed(parts: Parts, name: string): number | undefined {
  return parts.get(name)?.split(',').length
}
