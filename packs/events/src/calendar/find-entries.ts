import { ToolError } from '@surehand/core'
import { type CalendarEvent, type Occurrence, occurrences, toEpochMs } from '@surehand/icalendar'
import { type CalendarEntry, type CalendarQuery, MAX_ENTRIES } from './calendar-port.ts'
import { occurrenceName } from './entry-name.ts'

const UNTITLED = 'Untitled Event'

/** The events that match a query. */
export function findEntries(
  events: readonly CalendarEvent[],
  query: CalendarQuery,
): readonly CalendarEntry[] {
  const found = occurrences(events, query)
  const entries =
    query.shows === 'occurrences'
      ? found.map((one) => occurrenceEntry(one, query))
      : seriesEntries(events, found)
  if (entries.length > MAX_ENTRIES) throw tooManyEvents()
  return entries
}

export function tooManyEvents(): ToolError {
  return new ToolError(
    'TOOL_INVALID_FIELD_VALUE',
    `There are more than ${MAX_ENTRIES} events in this window. Choose a shorter one.`,
    {
      details: { field: 'timeMax' },
    },
  )
}

function occurrenceEntry(
  { event, start, end, recurrenceId }: Occurrence,
  { timeZone }: CalendarQuery,
): CalendarEntry {
  const begun = recurrenceId === undefined ? 0 : toEpochMs(recurrenceId, timeZone)
  return { ...toEntry(event), id: occurrenceName(event.uid, recurrenceId, begun), start, end }
}

// A series keeps its own start, even if its hundredth occurrence falls into the window.
function seriesEntries(
  events: readonly CalendarEvent[],
  found: readonly Occurrence[],
): readonly CalendarEntry[] {
  const uids = new Set(found.map(({ event }) => event.uid))
  return events
    .filter((event) => event.recurrenceId === undefined && uids.has(event.uid))
    .flatMap((event) => {
      const first = found.find((one) => one.event.uid === event.uid)
      const end = event.end ?? first?.end ?? event.start
      const { recurrence } = event
      return [
        {
          ...toEntry(event),
          start: event.start,
          end,
          ...(recurrence === undefined ? {} : { recurrence }),
        },
      ]
    })
}

function toEntry({
  uid,
  summary,
  location,
  isTransparent,
}: CalendarEvent): Pick<CalendarEntry, 'id' | 'summary' | 'location' | 'isTransparent'> {
  return {
    id: uid,
    summary: summary ?? UNTITLED,
    ...(location === undefined ? {} : { location }),
    ...(isTransparent === undefined ? {} : { isTransparent }),
  }
}
