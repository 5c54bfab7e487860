import { defineTool } from '@surehand/core'
import { z } from 'zod'
import { calendarPort } from './calendar-port.ts'
import { CalendarId, EventTime } from './calendar-shape.ts'
import { newEntry } from './new-entry.ts'

export const calendarWrite = defineTool({
  id: 'calendar.write',
  title: 'Write to the calendar',
  category: 'integration',
  description:
    'Create a new calendar event. Without an end it takes an hour, or the whole day if the start is a date without a time. ' +
    'It does not check for conflicts: read the calendar first. Call it once for each event; a repeat under the same key makes no second one.',
  aliases: ['CalendarWrite', 'calendar_write'],
  input: z.object({
    calendarId: CalendarId,
    event: z.object({
      summary: z.string().min(1).max(1000).describe('The title'),
      description: z.string().max(8000).optional(),
      start: EventTime,
      end: EventTime.optional().describe('For all-day events, the day after the last'),
      location: z.string().max(1000).optional(),
      reminders: z
        .object({ useDefault: z.boolean() })
        .optional()
        .describe("Whether the calendar's default reminders are set"),
      recurrence: z
        .array(z.string().min(1).max(1000))
        .max(16)
        .optional()
        .describe(
          'How it repeats, as lines of iCalendar: RRULE:FREQ=WEEKLY;BYDAY=TU;COUNT=10, EXDATE, RDATE',
        ),
    }),
  }),
  output: z.object({
    id: z.string(),
    htmlLink: z
      .string()
      .describe(
        'A link to the event; for the local calendar, a file that is stored for thirty days',
      ),
    created: z.string().describe('When it was written, as RFC 3339'),
  }),
  contract: {
    effect: 'writes.calendar',
    reversible: true,
    permissions: { roles: ['user'], capabilities: ['calendar.write'] },
    auth: 'session',
    // Not derived from the content: an event that was deleted can be written again.
    idempotency: 'caller',
    timeout: '10s',
    retries: 2,
  },
  ports: { calendar: calendarPort },
  examples: [
    {
      name: 'a concert',
      input: {
        calendarId: 'primary',
        event: {
          summary: 'Jazz in the park',
          location: 'Golden Gate Park, San Francisco',
          start: { dateTime: '2026-11-20T19:30:00', timeZone: 'America/Los_Angeles' },
          end: { dateTime: '2026-11-20T22:00:00', timeZone: 'America/Los_Angeles' },
        },
      },
    },
    {
      name: 'a whole day',
      input: {
        calendarId: 'primary',
        event: {
          summary: 'Street fair',
          start: { dateTime: '2026-11-21', timeZone: 'Europe/Berlin' },
        },
      },
    },
  ],
  // Checked before approval is requested and before a key is claimed.
  check: ({ input }) => void newEntry(input.event),
  execute: ({ input, ports, caller, idempotencyKey, signal }) => {
    const { tenant, principal } = caller
    const entry = newEntry(input.event)
    return ports.calendar.write(
      { tenant, principal, calendarId: input.calendarId, entry, idempotencyKey },
      signal,
    )
  },
})
