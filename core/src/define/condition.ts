import type { Condition } from '../call/caller.ts'
import { zoneFormat } from './time-zone.ts'

/** A condition with its parameters parsed. */
export type ReadCondition =
  | { readonly type: 'time_restriction'; readonly window: TimeWindow }
  | { readonly type: 'rate_limit'; readonly calls: number; readonly windowMs: number }
  | { readonly type: 'user_consent' }
  | { readonly type: 'admin_approval' }

/**
 * Hours of a day. Where the end is not after the start it runs over midnight, and belongs to the
 * day it began on.
 */
export type TimeWindow = {
  readonly startMinute: number
  /** The first minute that is outside. */
  readonly endMinute: number
  /** By number, Sunday is 0. */
  readonly days: ReadonlySet<number>
  /** Without one, the caller's. */
  readonly timeZone: string | undefined
}

export const DAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const

const DAY_NUMBERS: ReadonlyMap<unknown, number> = new Map(DAYS.map((day, number) => [day, number]))
const PER_MS = { minute: 60_000, hour: 3_600_000, day: 86_400_000 } as const
const LONGEST_WINDOW_SECONDS = 366 * 86_400

const HOUR_MINUTE = /^(?:[01]\d|2[0-3]):[0-5]\d$/
const EITHER =
  'expected max_calls of at least 1, and either window_seconds (up to a year) or per: minute, hour or day'

// without zod: every contract passes here, and opening thousands of tools from a cache must not
// load zod for it
/**
 * Parses a condition's parameters; throws a TypeError that names a condition that cannot be
 * enforced.
 */
export function readCondition({ type, parameters }: Condition): ReadCondition {
  switch (type) {
    case 'time_restriction':
      return {
        type,
        window: timeWindow(fieldsOf(type, parameters, ['start', 'end', 'days', 'time_zone'])),
      }
    case 'rate_limit':
      return {
        type,
        ...rateLimit(fieldsOf(type, parameters, ['max_calls', 'window_seconds', 'per'])),
      }
    case 'user_consent':
    case 'admin_approval':
      fieldsOf(type, parameters, [])
      return { type }
  }
  // a token may come from elsewhere and name a type that does not exist
  throw new TypeError(`The condition "${String(type)}" is not known.`)
}

type Fields = Readonly<Record<string, unknown>>

function fieldsOf(type: string, parameters: unknown, known: readonly string[]): Fields {
  if (typeof parameters !== 'object' || parameters === null || Array.isArray(parameters))
    throw unkeepable(type, 'expected an object')
  const unknown = Object.keys(parameters).find((name) => !known.includes(name))
  if (unknown !== undefined) throw unkeepable(type, `${unknown}: is not known`)
  return parameters as Fields
}

function timeWindow({ start, end, days, time_zone: timeZone }: Fields): TimeWindow {
  const refuse = (problem: string): TypeError => unkeepable('time_restriction', problem)
  if (typeof start !== 'string' || !HOUR_MINUTE.test(start))
    throw refuse('start: expected HH:MM, 00:00 to 23:59')
  if (typeof end !== 'string' || !(HOUR_MINUTE.test(end) || end === '24:00'))
    throw refuse('end: expected HH:MM, 00:00 to 24:00')
  if (start === end) throw refuse('expected start and end to differ; a whole day is 00:00 to 24:00')
  if (timeZone !== undefined && !(typeof timeZone === 'string' && isTimeZone(timeZone)))
    throw refuse('time_zone: expected a time zone such as Europe/Berlin')
  // null does not mean every day: it is probably a mistake
  const named = days === undefined ? DAYS : days
  if (!Array.isArray(named) || named.length === 0) throw refuse('days: expected a list of days')
  return {
    startMinute: minuteOf(start),
    endMinute: minuteOf(end),
    days: new Set(named.map(dayNumber)),
    timeZone,
  }
}

// 1 to 6 are Monday to Saturday for everybody; Sunday is 0 to some and 7 to others
function dayNumber(day: unknown): number {
  if (Number.isInteger(day) && Number(day) >= 0 && Number(day) <= 7) return Number(day) % 7
  const number = DAY_NUMBERS.get(day)
  if (number === undefined)
    throw unkeepable(
      'time_restriction',
      'days: expected mon to sun, or 0 to 7 with Sunday as 0 or 7',
    )
  return number
}

function rateLimit({ max_calls: calls, window_seconds: seconds, per }: Fields): {
  readonly calls: number
  readonly windowMs: number
} {
  if (typeof calls !== 'number' || !Number.isSafeInteger(calls) || calls < 1)
    throw unkeepable('rate_limit', EITHER)
  if (seconds === undefined && (per === 'minute' || per === 'hour' || per === 'day'))
    return { calls, windowMs: PER_MS[per] }
  const isLength = typeof seconds === 'number' && seconds > 0 && seconds <= LONGEST_WINDOW_SECONDS
  if (!isLength || per !== undefined) throw unkeepable('rate_limit', EITHER)
  return { calls, windowMs: seconds * 1000 }
}

function minuteOf(hourMinute: string): number {
  return Number(hourMinute.slice(0, 2)) * 60 + Number(hourMinute.slice(3))
}

function unkeepable(type: string, problem: string): TypeError {
  return new TypeError(`The condition "${type}" cannot be enforced: ${problem}.`)
}

function isTimeZone(name: string): boolean {
  return zoneFormat(name) !== undefined
}
