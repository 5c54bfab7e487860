import { isDay, isTimeZone } from '@surehand/dates'
import { z } from 'zod'

// A date without a time is the whole day; a time without an offset is in the event's time zone.
const MOMENT =
  /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])(?:T(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,9})?)?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)?)?$/

const Moment = z
  .string()
  .regex(
    MOMENT,
    'must be a date (2026-05-12, the whole day) or a date with a time (2026-05-12T20:00:00+02:00)',
  )
  .refine((text) => isDay(text.slice(0, 10)), 'must be a date that exists')

const Coordinates = z.object({
  lat: z.number().min(-90).max(90),
  lng: z.number().min(-180).max(180),
})

// The limits are those of calendars, so that nothing is truncated when the event is written.
/** An event, as the tools of this pack exchange it. */
export const CanonicalEvent = z.object({
  title: z.string().min(1).max(500),
  description: z.string().max(8_000).optional(),
  startTime: Moment.describe('ISO 8601 with an offset; a date without a time is the whole day'),
  endTime: Moment.optional().describe('ISO 8601; for an all-day event, the day after the last'),
  location: z
    .object({
      name: z.string().min(1).max(490),
      address: z.string().max(490).optional(),
      placeId: z.string().max(300).optional(),
      coordinates: Coordinates.optional(),
    })
    .optional(),
  timezone: z
    .string()
    .refine(isTimeZone, 'must be a time zone such as Europe/Berlin')
    .describe('IANA name, such as Europe/Berlin'),
  source: z.enum(['flyer', 'url', 'text', 'email']),
  sourceMetadata: z
    .object({
      imageUrl: z.string().max(2_000).optional(),
      originalUrl: z.string().max(2_000).optional(),
      extractedText: z.string().max(20_000).optional(),
    })
    .optional(),
  travelBufferMinutes: z.number().int().min(0).max(10_000).optional(),
  conflicts: z
    .array(z.object({ eventId: z.string(), title: z.string(), startTime: z.string() }))
    .max(250)
    .optional(),
  recurrence: z
    .array(z.string().max(500))
    .max(10)
    .optional()
    .describe('RRULE lines, such as RRULE:FREQ=WEEKLY;BYDAY=TU'),
})

export type CanonicalEvent = z.infer<typeof CanonicalEvent>
