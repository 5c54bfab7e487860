import { z } from 'zod'
import type { Condition } from './contract.ts'
import { zoneFormat } from './time-zone.ts'

/** A condition that has been read: what its parameters mean. */
export type ReadCondition =
  | { readonly type: 'time_restriction'; readonly window: TimeWindow }
  | { readonly type: 'rate_limit'; readonly calls: number; readonly windowMs: number }
  | { readonly type: 'user_consent' }
  | { readonly type: 'admin_approval' }

/** Hours of a day. Where the end is not after the start it runs over midnight, and belongs to the day it began on. */
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

const PER_MS = { minute: 60_000, hour: 3_600_000, day: 86_400_000 } as const
const LONGEST_WINDOW_SECONDS = 366 * 86_400

const HourMinute = z.string().regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, 'expected HH:MM, 00:00 to 23:59')
const EndHourMinute = z.string().regex(/^(?:(?:[01]\d|2[0-3]):[0-5]\d|24:00)$/, 'expected HH:MM, 00:00 to 24:00')
// 1 to 6 are Monday to Saturday for everybody; Sunday is 0 to some and 7 to others
const Day = z.union([z.enum(DAYS), z.int().min(0).max(7)], 'expected mon to sun, or 0 to 7 with Sunday as 0 or 7')
const MaxCalls = z.int().min(1)

const TimeRestriction = z
  .strictObject({
    start: HourMinute,
    end: EndHourMinute,
    days: z.array(Day).min(1).optional(),
    time_zone: z.string().refine(isTimeZone, 'expected a time zone such as Europe/Berlin').optional(),
  })
  .refine(({ start, end }) => start !== end, 'expected start and end to differ; a whole day is 00:00 to 24:00')

const RateLimit = z.union(
  [
    z.strictObject({ max_calls: MaxCalls, window_seconds: z.number().positive().max(LONGEST_WINDOW_SECONDS) }),
    z.strictObject({ max_calls: MaxCalls, per: z.enum(['minute', 'hour', 'day']) }),
  ],
  'expected max_calls of at least 1, and either window_seconds (up to a year) or per: minute, hour or day',
)

const WithoutParameters = z.strictObject({})

/** Reads a condition's parameters; throws a TypeError that names the condition where nobody could keep it. */
export function readCondition(condition: Condition): ReadCondition {
  const { type, parameters } = condition
  switch (type) {
    case 'time_restriction':
      return { type, window: timeWindow(parse(type, TimeRestriction, parameters)) }
    case 'rate_limit': {
      const limit = parse(type, RateLimit, parameters)
      return { type, calls: limit.max_calls, windowMs: 'per' in limit ? PER_MS[limit.per] : limit.window_seconds * 1000 }
    }
    case 'user_consent':
    case 'admin_approval':
      parse(type, WithoutParameters, parameters)
      return { type }
  }
  // a token is written by others: what it names need not be of the type
  throw new TypeError(`The condition "${String(type)}" is not known.`)
}

function timeWindow(restriction: z.output<typeof TimeRestriction>): TimeWindow {
  const days = restriction.days ?? DAYS
  return {
    startMinute: minuteOf(restriction.start),
    endMinute: minuteOf(restriction.end),
    days: new Set(days.map((day) => (typeof day === 'number' ? day % 7 : DAYS.indexOf(day)))),
    timeZone: restriction.time_zone,
  }
}

function minuteOf(hourMinute: string): number {
  return Number(hourMinute.slice(0, 2)) * 60 + Number(hourMinute.slice(3))
}

function parse<S extends z.ZodType>(type: string, schema: S, parameters: unknown): z.output<S> {
  const parsed = schema.safeParse(parameters)
  if (parsed.success) return parsed.data
  const problems = parsed.error.issues.map(({ path, message }) => (path.length === 0 ? message : `${path.join('.')}: ${message}`))
  throw new TypeError(`The condition "${type}" can not be kept: ${problems.join('; ')}.`)
}

function isTimeZone(name: string): boolean {
  return zoneFormat(name) !== undefined
}
