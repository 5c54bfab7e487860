import { ToolError } from '@surehand/core'
import {
  type CalendarTime,
  type DateTimeInZone,
  fromDateTime,
  later,
  type Recurrence,
  readRecurrence,
  toEpochMs,
} from '@surehand/icalendar'
import type { NewEntry } from './calendar-port.ts'

/** An event in the form of the tool's input. */
export type EventForm = {
  readonly summary: string
  readonly description?: string | undefined
  readonly start: DateTimeInZone
  readonly end?: DateTimeInZone | undefined
  readonly location?: string | undefined
  readonly reminders?: { readonly useDefault: boolean } | undefined
  readonly recurrence?: readonly string[] | undefined
}

const MAX_OCCURRENCES = 2_000

/** The event with its end: without one it takes an hour, or the whole day. */
export function newEntry({
  summary,
  description,
  start: from,
  end: until,
  location,
  reminders,
  recurrence: lines = [],
}: EventForm): NewEntry {
  const start = fromDateTime(from)
  const recurrence = lines.length === 0 ? undefined : checkRecurrence(readRecurrence(lines))
  return {
    summary,
    start,
    end: until === undefined ? defaultEnd(start) : checkEnd(start, fromDateTime(until)),
    ...(description === undefined ? {} : { description }),
    ...(location === undefined ? {} : { location }),
    ...(reminders === undefined ? {} : { reminders }),
    ...(recurrence === undefined ? {} : { recurrence }),
  }
}

// A series that is expensive to expand would slow down every later read of the calendar.
function checkRecurrence(recurrence: Recurrence): Recurrence {
  if (recurrence.rules.length > 1)
    throw invalidEvent(
      'An event has at most one RRULE. Write a second event for the other.',
      'event.recurrence',
    )
  const count = Number(/(?:^|;)COUNT=(\d+)/.exec(recurrence.rules[0] ?? '')?.[1] ?? 1)
  if (count > MAX_OCCURRENCES)
    throw invalidEvent(
      `A series has at most ${MAX_OCCURRENCES} occurrences. Leave COUNT out for one without an end.`,
      'event.recurrence',
    )
  return recurrence
}

const defaultEnd = (start: CalendarTime): CalendarTime =>
  later(start, start.kind === 'date' ? { days: 1 } : { hours: 1 })

function checkEnd(start: CalendarTime, end: CalendarTime): CalendarTime {
  if ((start.kind === 'date') !== (end.kind === 'date'))
    throw invalidEvent('Start and end are both mere dates, or both have a time.')
  const lengthMs = toEpochMs(end, 'UTC') - toEpochMs(start, 'UTC')
  if (lengthMs < 0) throw invalidEvent('The event ends before it begins.')
  // The end of an all-day event is the day after the last; an end equal to the start means one day.
  return start.kind === 'date' && lengthMs === 0 ? defaultEnd(start) : end
}

function invalidEvent(message: string, field = 'event.end'): ToolError {
  return new ToolError('TOOL_INVALID_FIELD_VALUE', message, { details: { field }, effect: 'none' })
}
