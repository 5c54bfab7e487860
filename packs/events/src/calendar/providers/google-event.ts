import {
  type CalendarTime,
  type DateTimeInZone,
  fromDateTime,
  isTimeZone,
  readRecurrence,
  toDateTime,
  writeRecurrence,
} from '@surehand/icalendar'
import { z } from 'zod'
import type { CalendarEntry, NewEntry } from '../calendar-port.ts'

// developers.google.com/workspace/calendar/api/v3/reference/events: of a whole day `date`, else `dateTime`, and a zone where one was given
const Time = z.union([
  z.object({ date: z.iso.date() }).transform(({ date }): CalendarTime => ({ kind: 'date', date })),
  z
    .object({ dateTime: z.iso.datetime({ offset: true }), timeZone: z.string().default('UTC') })
    .transform(timeIn),
])

// old calendars have zones such as "GMT-03:00": the offset of the time itself is enough
function timeIn({ dateTime, timeZone }: DateTimeInZone): CalendarTime {
  return fromDateTime({ dateTime, timeZone: isTimeZone(timeZone) ? timeZone : 'UTC' })
}

export const GoogleEvent = z.object({
  id: z.string().min(1),
  status: z.enum(['confirmed', 'tentative', 'cancelled']).default('confirmed'),
  htmlLink: z.string().min(1),
  created: z.iso.datetime({ offset: true }),
})

/** A cancelled one is a mere name: nothing else is promised of it. */
export const ListedEvent = z.union([
  z.object({ status: z.literal('cancelled') }).transform(() => undefined),
  z
    .object({
      id: z.string().min(1),
      summary: z.string().default('Untitled Event'),
      location: z.string().optional(),
      start: Time,
      end: Time,
      recurrence: z.array(z.string()).optional(),
    })
    .transform(({ id, summary, location, start, end, recurrence }): CalendarEntry => {
      return {
        id,
        summary,
        start,
        end,
        ...(location === undefined ? {} : { location }),
        ...(recurrence === undefined ? {} : { recurrence: readRecurrence(recurrence) }),
      }
    }),
])

export const EventList = z.object({
  items: z.array(ListedEvent).default([]),
  nextPageToken: z.string().optional(),
})

/** What is sent to make one. */
export function insertBody(
  id: string,
  { summary, description, location, start, end, recurrence, reminders }: NewEntry,
): object {
  return {
    id,
    summary,
    start: timeOf(start),
    end: timeOf(end),
    ...(description === undefined ? {} : { description }),
    ...(location === undefined ? {} : { location }),
    ...(recurrence === undefined ? {} : { recurrence: writeRecurrence(recurrence) }),
    ...(reminders === undefined ? {} : { reminders }),
  }
}

function timeOf(time: CalendarTime): object {
  return time.kind === 'date' ? { date: time.date } : toDateTime(time, 'UTC')
}
