import { z } from 'zod'
import { CALENDAR_DATE, Iso8601Duration, isBefore, Rfc3339DateTime } from './time.ts'

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
