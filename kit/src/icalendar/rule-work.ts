import type { Temporal } from 'temporal-polyfill'
import { evenSeries, numbersIn } from './even-series.ts'

type Stretch = { readonly fromMs: number; readonly toMs: number }

const HOUR_MS = 3_600_000
const PERIOD_MS: Readonly<Record<string, number>> = {
  HOURLY: HOUR_MS,
  DAILY: 24 * HOUR_MS,
  WEEKLY: 7 * 24 * HOUR_MS,
  MONTHLY: 28 * 24 * HOUR_MS,
  YEARLY: 365 * 24 * HOUR_MS,
}
/** Each makes more times of one period, as many as it lists. */
const MULTIPLIERS = ['BYHOUR', 'BYMINUTE', 'BYSECOND', 'BYDAY', 'BYMONTHDAY', 'BYYEARDAY', 'BYMONTH', 'BYWEEKNO']
/** With one of these a rule may look through many periods before it finds its next time. */
const SIEVE = /(?:^|;)BY(?:MONTH|MONTHDAY|YEARDAY|WEEKNO|SETPOS)=/
/** What the least of rules costs, and how much dearer a time is that has to be counted. */
const LEAST = 5
const COUNTED = 4

/** Each makes more times of one day. */
const CLOCK = ['BYHOUR', 'BYMINUTE', 'BYSECOND']

/**
 * How many times a rule of several times a day may have in a stretch; 0 for any other. Days that it leaves out are not reckoned.
 */
export function denseTimes(rule: string, start: Temporal.ZonedDateTime, { fromMs, toMs }: Stretch): number {
  const parts = partsOf(rule)
  const isHourly = parts.get('FREQ') === 'HOURLY'
  const hours = isHourly ? 24 / Number(parts.get('INTERVAL') ?? 1) : 1
  const eachDay = hours * timesEach(parts, isHourly ? CLOCK.slice(1) : CLOCK)
  if (eachDay <= 1) return 0
  const days = Math.max(0, toMs - Math.max(start.epochMilliseconds, fromMs)) / (24 * HOUR_MS)
  return Math.min(Math.ceil(days * eachDay), Number(parts.get('COUNT') ?? Number.POSITIVE_INFINITY))
}

/**
 * How many times of a rule have to be looked at for a stretch, at most. One that counts is counted from its beginning, and so is one
 * of every few hours; any other is looked at where the stretch is.
 */
export function ruleWork(rule: string, start: Temporal.ZonedDateTime, { fromMs, toMs }: Stretch): number {
  const even = evenSeries(rule, start, toMs)
  if (even !== undefined) {
    const [first, last] = numbersIn(even, start, { fromMs, toMs })
    return Math.max(1, last - first)
  }
  const parts = partsOf(rule)
  const periodMs = (PERIOD_MS[parts.get('FREQ') ?? ''] ?? HOUR_MS) * Number(parts.get('INTERVAL') ?? 1)
  const count = Number(parts.get('COUNT') ?? Number.POSITIVE_INFINITY)
  const begins =
    Number.isFinite(count) || parts.get('FREQ') === 'HOURLY' ? start.epochMilliseconds : Math.max(start.epochMilliseconds, fromMs)
  const periods = Math.max(0, toMs - begins) / periodMs
  const each = timesEach(parts, MULTIPLIERS)
  const times = Math.ceil(periods * each)
  return LEAST + (SIEVE.test(rule) ? times : Math.min(times, count)) * (Number.isFinite(count) ? COUNTED : 1)
}

type Parts = ReadonlyMap<string, string | undefined>

function partsOf(rule: string): Parts {
  return new Map(rule.split(';').map((part) => part.split('=') as [string, string | undefined]))
}

function timesEach(parts: Parts, names: readonly string[]): number {
  return names.reduce((product, name) => product * (parts.get(name)?.split(',').length ?? 1), 1)
}
