import { definePort, defineTool } from '@surehand/core'
import { writeCalendar } from '@surehand/icalendar'
import { z } from 'zod'
import { CalendarId } from './calendar-shape.ts'
import type { OwnCalendarPort } from './providers/own-calendars.ts'

/** The calendars in the app's own store, whichever calendar the other tools use. */
export const ownCalendarPort = definePort<OwnCalendarPort>('ownCalendar', { events: 'read' })

// Calendar programs fetch a feed whole, every few minutes.
const MOST_EVENTS = 5_000

export const calendarFeed = defineTool({
  id: 'calendar.feed',
  title: 'Get the own calendar as a file',
  category: 'integration',
  description:
    'The calendar in the store of this app as an iCalendar text, series as series, for calendar programs. A calendar at Google or on a CalDAV server is subscribed to there, and is not in it. To find events in a time range, use calendar.read.',
  aliases: ['calendar_feed'],
  input: z.object({ calendarId: CalendarId.default('primary') }),
  output: z.object({
    media_type: z.literal('text/calendar'),
    calendar: z.string(),
    items: z.int(),
    note: z.string().optional(),
  }),
  contract: {
    effect: 'read',
    permissions: { roles: ['user'], capabilities: ['calendar.read'] },
    timeout: '5s',
    limits: [{ calls: 60, per: '1m' }],
  },
  ports: { ownCalendar: ownCalendarPort },
  examples: [{ name: 'the calendar', input: {} }],
  execute: async ({ input, ports, caller: { tenant, principal }, now, signal }) => {
    const all = await ports.ownCalendar.events(
      { tenant, principal, calendarId: input.calendarId },
      signal,
    )
    const events = all.slice(-MOST_EVENTS)
    return {
      media_type: 'text/calendar' as const,
      calendar: writeCalendar(events, {
        prodId: '-//Surehand//events//EN',
        name: 'Surehand',
        now: now(),
      }),
      items: events.length,
      ...(events.length === all.length
        ? {}
        : { note: `Only the latest ${MOST_EVENTS} of ${all.length} events are included.` }),
    }
  },
})
