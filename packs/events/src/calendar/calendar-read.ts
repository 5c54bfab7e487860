import { type Caller, defineTool, ToolError } from '@surehand/core'
import {
  fromDateTime,
  isTimeZone,
  toDateTime,
  toEpochMs,
  writeRecurrence,
} from '@surehand/icalendar'
import { z } from 'zod'
import { calendarPort } from './calendar-port.ts'
import { CalendarDateTime, CalendarId } from './calendar-shape.ts'

const Time = z.object({ dateTime: z.string(), timeZone: z.string() })
const Entry = z.object({
  id: z.string(),
  summary: z.string(),
  start: Time,
  end: Time,
  location: z.string().optional(),
  recurrence: z
    .array(z.string())
    .optional()
    .describe('The recurrence rules of a series, if singleEvents is false'),
  transparency: z
    .literal('transparent')
    .optional()
    .describe('The person is free meanwhile; it is no conflict'),
})

export const calendarRead = defineTool({
  id: 'calendar.read',
  title: 'Read the calendar',
  category: 'integration',
  description:
    'Check for existing calendar events in a time range, for example to find conflicts before an event is written. ' +
    'All-day events have dates without a time, and their end is the day after the last. An answer that is marked degraded means that the calendar could not be read, not that it is empty.',
  aliases: ['CalendarRead', 'calendar_read'],
  input: z.object({
    calendarId: CalendarId,
    timeMin: CalendarDateTime.describe(
      "Events that end after this moment; a time without an offset is in the caller's time zone",
    ),
    timeMax: CalendarDateTime.describe('Events that begin before this moment'),
    singleEvents: z
      .boolean()
      .default(true)
      .describe('Returns each occurrence of a recurring event; false returns every series once'),
  }),
  output: z.object({ events: z.array(Entry) }),
  contract: {
    effect: 'read',
    permissions: { roles: ['user'], capabilities: ['calendar.read'] },
    auth: 'session',
    timeout: '5s',
    retries: 1,
    // An empty answer must not look like "no conflicts": the runtime marks this one as degraded.
    fallback: () => ({ events: [] }),
  },
  ports: { calendar: calendarPort },
  examples: [
    {
      name: 'an evening',
      input: {
        calendarId: 'primary',
        timeMin: '2026-11-20T17:00:00+01:00',
        timeMax: '2026-11-20T23:00:00+01:00',
      },
    },
  ],
  execute: async ({ input, ports, caller, signal }) => {
    const timeZone = zoneOf(caller)
    const [from, until] = [momentOf(input.timeMin, timeZone), momentOf(input.timeMax, timeZone)]
    if (from >= until)
      throw new ToolError('TOOL_INVALID_FIELD_VALUE', 'timeMin is not before timeMax.', {
        details: { field: 'timeMax' },
      })
    const [fromMs, toMs] = [withinYears(from), withinYears(until)]
    const { tenant, principal } = caller
    const shows = input.singleEvents ? 'occurrences' : 'series'
    const entries = await ports.calendar.read(
      { tenant, principal, calendarId: input.calendarId, fromMs, toMs, timeZone, shows },
      signal,
    )
    const events = entries.map(
      ({ id, summary, start, end, location, recurrence, isTransparent }) => ({
        id,
        summary,
        start: toDateTime(start, timeZone),
        end: toDateTime(end, timeZone),
        ...(location === undefined ? {} : { location }),
        ...(recurrence === undefined ? {} : { recurrence: [...writeRecurrence(recurrence)] }),
        ...(isTransparent ? { transparency: 'transparent' as const } : {}),
      }),
    )
    return { events }
  },
})

const momentOf = (dateTime: string, timeZone: string): number =>
  toEpochMs(fromDateTime({ dateTime, timeZone }), timeZone)

// "Forever" is often written as 9999-12-31: calendars reject a year of five digits, and the answer
// would look empty.
const FIRST_MS = Date.parse('0002-01-01T00:00:00Z')
const LAST_MS = Date.parse('9999-12-30T00:00:00Z')
const withinYears = (atMs: number): number => Math.min(Math.max(atMs, FIRST_MS), LAST_MS)

// A token may claim any time zone.
const zoneOf = ({ timeZone }: Caller): string =>
  timeZone !== undefined && isTimeZone(timeZone) ? timeZone : 'UTC'
