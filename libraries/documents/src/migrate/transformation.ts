import { z } from 'zod'
import { CALENDAR_DATE, Rfc3339DateTime } from '../shapes/time.ts'
import type { MigrationContext } from './step.ts'

/**
 * A named change of a value. Undefined says that the value doesn't fit; without `backward`, v2's
 * value is v1's too.
 */
export type Transformation = {
  readonly expects: string
  readonly forward: (value: unknown, context: MigrationContext) => unknown
  readonly backward?: (value: unknown) => unknown
}

const TABLE: Readonly<Record<string, Transformation>> = {
  to_string: { expects: 'a text, a number or a boolean', forward: toText, backward: toScalar },
  to_number: {
    expects: 'a number, or a text that is one',
    forward: toNumber,
    backward: ifNumber(String),
  },
  to_boolean: { expects: 'true or false, yes or no, on or off, 1 or 0', forward: toBoolean },
  lowercase: { expects: 'a text', forward: ifText((text) => text.toLowerCase()) },
  uppercase: { expects: 'a text', forward: ifText((text) => text.toUpperCase()) },
  trim: { expects: 'a text', forward: ifText((text) => text.trim()) },
  minutes_to_duration: {
    expects: 'a whole number of minutes',
    forward: minutesToDuration,
    backward: durationToMinutes,
  },
  split_csv: { expects: 'a text with commas', forward: splitCsv, backward: joinCsv },
  join_csv: { expects: 'a list of texts without commas', forward: joinCsv, backward: splitCsv },
  iso_datetime: { expects: 'a date, a date and time, or seconds since 1970', forward: isoDateTime },
}
const MAP = 'map:'

export const TRANSFORMATIONS: readonly string[] = [...Object.keys(TABLE), `${MAP}{…}`]

/**
 * The transformation of this name; undefined when there is none. `map:` is followed by JSON: an
 * object, or pairs.
 */
export function transformationOf(name: string): Transformation | undefined {
  if (name.startsWith(MAP)) return valueMap(name.slice(MAP.length))
  return Object.hasOwn(TABLE, name) ? TABLE[name] : undefined
}

const Scalar = z.union([z.string(), z.number(), z.boolean()])
// an object's keys are texts: pairs are for v1 values that are numbers or booleans, and come back
// as such
const ValueMap = z.union([
  z.array(z.tuple([Scalar, Scalar])),
  z.record(z.string(), Scalar).transform((map) => Object.entries(map)),
])

function valueMap(json: string): Transformation | undefined {
  const parsed = z
    .string()
    .transform((text, issues) => tryJson(text) ?? issues.addIssue('not JSON'))
    .pipe(ValueMap)
    .safeParse(json)
  if (!parsed.success) return undefined
  const pairs = parsed.data
  return {
    expects: 'a known value',
    forward: (value) =>
      (pairs.find(([v1]) => v1 === value) ?? pairs.find(([v1]) => v1 === String(value)))?.[1] ??
      value,
    backward(value) {
      const sources = pairs.filter(([, v2]) => v2 === value)
      return sources.length === 1 ? sources[0]?.[0] : undefined
    },
  }
}

function tryJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined // told by the caller, with the path
  }
}

function ifText(change: (text: string) => string): (value: unknown) => string | undefined {
  return (value) => (typeof value === 'string' ? change(value) : undefined)
}

function ifNumber(change: (number: number) => string): (value: unknown) => string | undefined {
  return (value) => (typeof value === 'number' ? change(value) : undefined)
}

function toText(value: unknown): string | undefined {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? String(value)
    : undefined
}

const NUMERAL = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i

function toNumber(value: unknown): number | undefined {
  const read = typeof value === 'string' && NUMERAL.test(value.trim()) ? Number(value) : value
  // a longer number would come out with other digits
  const isExact =
    typeof read === 'number' &&
    Number.isFinite(read) &&
    (!Number.isInteger(read) || Number.isSafeInteger(read))
  return isExact ? read : undefined
}

/** What `toText` made a text of: only a text that a number or a boolean would give. */
function toScalar(value: unknown): unknown {
  if (value === 'true' || value === 'false') return value === 'true'
  const read = toNumber(value)
  return String(read) === value ? read : undefined
}

const YES = ['true', 'yes', 'y', 'on', '1']
const NO = ['false', 'no', 'n', 'off', '0']

function toBoolean(value: unknown): boolean | undefined {
  const word = String(toText(value)).trim().toLowerCase()
  if (YES.includes(word)) return true
  return NO.includes(word) ? false : undefined
}

function minutesToDuration(value: unknown): string | undefined {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value < 1e15
    ? `PT${value}M`
    : undefined
}

const DURATION =
  /^P(?=.)(?:(?<days>\d{1,9})D)?(?:T(?=.)(?:(?<hours>\d{1,9})H)?(?:(?<minutes>\d{1,15})M)?)?$/

function durationToMinutes(value: unknown): number | undefined {
  const parts = typeof value === 'string' ? DURATION.exec(value)?.groups : undefined
  if (parts === undefined) return undefined
  return (Number(parts.days ?? 0) * 24 + Number(parts.hours ?? 0)) * 60 + Number(parts.minutes ?? 0)
}

function splitCsv(value: unknown): readonly string[] | undefined {
  if (typeof value !== 'string') return undefined
  return value
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')
}

function joinCsv(value: unknown): string | undefined {
  const fits =
    Array.isArray(value) &&
    value.every((item) => typeof item === 'string' && item.trim() !== '' && !item.includes(','))
  return fits ? value.join(',') : undefined
}

const WALL = /^(?<date>[\d-]{10})(?:[Tt ](?<time>\d\d:\d\d(?::\d\d(?:\.\d+)?)?))?$/
// seconds until the year 5138, milliseconds since 1973: no v1 caller means the others
const SECONDS_BELOW = 1e11

function isoDateTime(value: unknown, context: MigrationContext): string | undefined {
  if (typeof value === 'number')
    return toIso(Math.abs(value) < SECONDS_BELOW ? value * 1000 : value)
  if (typeof value !== 'string' || Rfc3339DateTime.safeParse(value).success)
    return typeof value === 'string' ? value : undefined
  const parts = WALL.exec(value)?.groups
  if (parts?.date === undefined || !CALENDAR_DATE.test(parts.date)) return undefined
  const wallMs = Date.parse(`${parts.date}T${parts.time ?? '00:00'}Z`)
  // v1 wrote the time on the person's own clock, without saying where
  return Number.isNaN(wallMs)
    ? undefined
    : toIso(instantOf(wallMs, context.caller?.timeZone ?? 'UTC'))
}

function toIso(instantMs: number): string | undefined {
  const date = new Date(Math.round(instantMs))
  const isWritable = date.getTime() >= 0 && date.getUTCFullYear() <= 9999
  return isWritable ? date.toISOString() : undefined
}

const OFFSET = /GMT(?:(?<sign>[+-])(?<hours>\d\d):(?<minutes>\d\d)(?::(?<seconds>\d\d))?)?$/

/** How far the clocks of a zone are ahead of UTC at an instant. */
function offsetMs(instantMs: number, timeZone: string): number {
  const shown = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' }).format(
    instantMs,
  )
  const { sign = '+', hours = '0', minutes = '0', seconds = '0' } = OFFSET.exec(shown)?.groups ?? {}
  const ms = ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000
  return sign === '-' ? -ms : ms
}

/**
 * When the clocks of a zone show this date and time, which is given as if it were UTC. A time the
 * spring leaves out is taken as the hour after it; of the two that autumn has, the first.
 */
export function instantOf(wallMs: number, timeZone: string): number {
  const day = 86_400_000
  const before = wallMs - offsetMs(wallMs - day, timeZone)
  const after = wallMs - offsetMs(wallMs + day, timeZone)
  if (before + offsetMs(before, timeZone) === wallMs) return before
  return after + offsetMs(after, timeZone) === wallMs ? after : before
}
