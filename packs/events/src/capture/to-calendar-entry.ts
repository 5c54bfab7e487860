import type { EventForm } from '../calendar/new-entry.ts'
import type { CanonicalEvent } from '../extract/canonical-event.ts'

/** The calendar entry of an event: exactly what the person was shown. */
export function toCalendarEntry({
  title,
  description,
  startTime,
  endTime,
  location,
  timezone,
  recurrence,
}: CanonicalEvent) {
  const place =
    location === undefined
      ? undefined
      : [location.name, location.address].filter((part) => part !== undefined).join(', ')
  return {
    summary: title,
    ...(description === undefined ? {} : { description }),
    start: { dateTime: startTime, timeZone: timezone },
    ...(endTime === undefined ? {} : { end: { dateTime: endTime, timeZone: timezone } }),
    ...(place === undefined ? {} : { location: place }),
    ...(recurrence === undefined || recurrence.length === 0 ? {} : { recurrence }),
  } satisfies EventForm
}
