import { z } from 'zod'

// days of the calendar, leap years included: century years only where 400 divides them
const DATE =
  '(?:(?:\\d\\d(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)-02-29|\\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|02-(?:0[1-9]|1\\d|2[0-8])))'
const TIME = '(?:[01]\\d|2[0-3]):[0-5]\\d:(?:[0-5]\\d|60)(?:\\.\\d+)?'
const OFFSET = '(?:[Zz]|[+-](?:[01]\\d|2[0-3]):[0-5]\\d)'

/** A full date of ISO 8601 that is in the calendar. */
export const CALENDAR_DATE = new RegExp(`^${DATE}$`)

export const Rfc3339DateTime = z
  .string()
  .regex(new RegExp(`^${DATE}[Tt]${TIME}${OFFSET}$`), {
    error:
      'Write an RFC 3339 date-time with seconds and an offset, such as 2025-08-24T10:00:00+03:00.',
    abort: true,
  })
  .refine(hasRealSecond, {
    error: 'A second 60 exists only as a leap second, at the end of a month in UTC.',
  })
  .meta({
    title: 'date-time',
    description:
      'An RFC 3339 date-time with seconds and the offset of the local time, or Z for UTC.',
    examples: ['2025-08-24T10:00:00+03:00', '2025-08-24T07:00:00.250Z'],
    format: 'date-time',
  })

function hasRealSecond(dateTime: string): boolean {
  const { minuteMs, seconds } = moment(dateTime)
  if (!seconds.startsWith('60')) return true
  const nextMinute = new Date(minuteMs + 60_000)
  return (
    nextMinute.getUTCDate() === 1 &&
    nextMinute.getUTCHours() === 0 &&
    nextMinute.getUTCMinutes() === 0
  )
}

/** Whether the first of two RFC 3339 date-times is earlier, to any number of fractional digits. */
export function isBefore(first: string, second: string): boolean {
  const [earlier, later] = [moment(first), moment(second)]
  if (earlier.minuteMs !== later.minuteMs) return earlier.minuteMs < later.minuteMs
  const length = Math.max(earlier.seconds.length, later.seconds.length)
  return earlier.seconds.padEnd(length, '0') < later.seconds.padEnd(length, '0')
}

// Date knows neither a second 60 nor fractions beyond milliseconds: it is asked for the minute
// alone
function moment(dateTime: string): { minuteMs: number; seconds: string } {
  const offset = /[Zz]$/.test(dateTime) ? 'Z' : dateTime.slice(-6)
  const [seconds, fraction = ''] = dateTime.slice(17, -offset.length).split('.')
  return {
    minuteMs: Date.parse(`${dateTime.slice(0, 16).toUpperCase()}${offset}`),
    seconds: `${seconds}.${fraction}`,
  }
}

// 15 digits stay exact in a number; a fraction may stand in the last component only
const component = (letter: string) => `(?:\\d{1,15}(?:[.,]\\d{1,9}(?=${letter}$))?${letter})?`
const DURATION = new RegExp(
  `^P(?:\\d{1,15}(?:[.,]\\d{1,9})?W|(?=T?\\d)${component('Y')}${component('M')}${component('D')}(?:T(?=\\d)${component('H')}${component('M')}${component('S')})?)$`,
)

// no `format: duration`: that is the narrower grammar of RFC 3339 appendix A, which knows no
// fractions
export const Iso8601Duration = z
  .string()
  .regex(DURATION, {
    error: 'Write an ISO 8601 duration such as PT30M or P1DT12H; weeks (P2W) stand alone.',
  })
  .meta({
    title: 'duration',
    description:
      'An ISO 8601 duration. Weeks do not mix with other units; only the last number may have a fraction.',
    examples: ['PT15M', 'P1Y2M10DT2H30M', 'P3W', 'PT1.5H'],
  })

// only the outline: exact patterns of both halves are a thousand characters, paid for in every
// prompt; the refinement is exact
const HALF =
  '(?:P[\\dYMWDTHS.,]+|\\d{4}-\\d\\d-\\d\\d(?:[Tt]\\d\\d:\\d\\d:\\d\\d(?:\\.\\d+)?(?:[Zz]|[+-]\\d\\d:\\d\\d))?)'
const OUTLINE = new RegExp(`^(?!P[^/]*/P)${HALF}/${HALF}$`)

export const IsoInterval = z
  .string()
  .regex(OUTLINE, {
    error:
      'Write an ISO 8601 interval: start/end, start/duration or duration/end, such as 2025-08-24T10:00:00Z/PT2H.',
    abort: true,
  })
  .refine(isInterval, {
    error:
      'Both halves must be valid, of the same kind if both are dates or date-times, and the end must be after the start.',
  })
  .meta({
    title: 'interval',
    description:
      'An ISO 8601 interval: start/end, start/duration or duration/end. Start and end are written in full, both as RFC 3339 date-times or both as dates; an abbreviated end (…/12:00:00) is not accepted. The end is after the start: one whole day is 2025-08-24/P1D.',
    examples: [
      '2025-08-24T10:00:00+03:00/2025-08-24T12:00:00+03:00',
      '2025-08-24T10:00:00Z/PT2H',
      'P1D/2025-08-25',
      '2025-08-24/2025-08-31',
    ],
  })

function isInterval(interval: string): boolean {
  const [start = '', end = ''] = interval.split('/')
  if (isDateTime(start) && isDateTime(end)) return isBefore(start, end)
  if (isDate(start) && isDate(end)) return start < end
  if (isLength(start)) return isDate(end) || isDateTime(end)
  return isLength(end) && (isDate(start) || isDateTime(start))
}

const isDate = (text: string): boolean => CALENDAR_DATE.test(text)

const isDateTime = (text: string): boolean => Rfc3339DateTime.safeParse(text).success

// a duration of nothing would end the interval where it starts
const isLength = (text: string): boolean =>
  Iso8601Duration.safeParse(text).success && /[1-9]/.test(text)
