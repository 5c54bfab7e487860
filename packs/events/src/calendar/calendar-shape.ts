import { fromDateTime, isTimeZone } from '@surehand/icalendar'
import { z } from 'zod'

const DATE_TIME =
  /^\d{4}-\d{2}-\d{2}(?:[Tt]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:[Zz]|[+-]\d{2}:\d{2})?)?$/

/** A time in ISO 8601, with or without an offset, or a date. */
export const CalendarDateTime = z
  .string()
  .regex(DATE_TIME, {
    error:
      'Write a time such as 2026-11-20T19:30:00 (with or without an offset), or a date such as 2026-11-20.',
    abort: true,
  })
  .refine(isReal, { error: 'There is no such date or time.' })
  .meta({ examples: ['2026-11-20T19:30:00', '2026-11-20T19:30:00+01:00', '2026-11-20'] })

export const TimeZoneName = z
  .string()
  .max(64)
  .refine(isTimeZone, { error: 'Write a name of the time zone database, such as Europe/Berlin.' })
  .describe('IANA name of the time zone, such as Europe/Berlin')

export const EventTime = z.object({
  dateTime: CalendarDateTime.describe(
    'A time without an offset is in timeZone; a date without a time (2026-11-20) is the whole day.',
  ),
  timeZone: TimeZoneName,
})

export const CalendarId = z
  .string()
  .min(1)
  .max(255)
  .describe("'primary' for the person's own calendar, or the id of another one")

function isReal(dateTime: string): boolean {
  try {
    fromDateTime({ dateTime, timeZone: 'UTC' })
    return true
  } catch {
    return false
  }
}
