import { Temporal } from 'temporal-polyfill'
import type { CalendarTime } from './calendar-item.ts'

/** Where a day or a clock time is read that has no zone of its own. */
export type ReaderZone = string

// offsets are zones to Temporal, but no calendar knows "+01:00" as one
const OFFSET = /^[+-]\d/

// asking Intl costs a millisecond: nearly all names are in its own list
const LISTED: ReadonlySet<string> = new Set(['UTC', ...Intl.supportedValuesOf('timeZone')])

/** Is this a name of the time zone database? */
export function isTimeZone(name: string): boolean {
  if (LISTED.has(name)) return true
  if (OFFSET.test(name)) return false
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}

/**
 * A clock time in a spring's gap is read with the offset before it, one that comes twice is the
 * first (RFC 5545, 3.3.5).
 */
export function toZoned(time: CalendarTime, reader: ReaderZone): Temporal.ZonedDateTime {
  switch (time.kind) {
    case 'date':
      return Temporal.PlainDate.from(time.date).toZonedDateTime(reader)
    case 'zoned':
      return Temporal.PlainDateTime.from(time.local).toZonedDateTime(time.timeZone)
    case 'floating':
      return Temporal.PlainDateTime.from(time.local).toZonedDateTime(reader)
  }
}

/** The instant, in milliseconds since 1970. */
export function toEpochMs(time: CalendarTime, reader: ReaderZone): number {
  if (time.kind === 'zoned' && time.timeZone === 'UTC') return Date.parse(`${time.local}Z`)
  return toZoned(time, reader).epochMilliseconds
}

export type DateTimeInZone = { readonly dateTime: string; readonly timeZone: string }

const DATE = /^\d{4}-\d{2}-\d{2}$/
const WITH_OFFSET = /(?:[zZ]|[+-]\d{2}:?\d{2})$/

/**
 * `{ dateTime, timeZone }` as a calendar's time: a mere date is a whole day, a time without an
 * offset is one in `timeZone`. Throws a RangeError for what is no time.
 */
export function fromDateTime({ dateTime, timeZone }: DateTimeInZone): CalendarTime {
  if (DATE.test(dateTime))
    return {
      kind: 'date',
      date: Temporal.PlainDate.from(dateTime, { overflow: 'reject' }).toString(),
    }
  if (!WITH_OFFSET.test(dateTime)) {
    // the way through the zone moves a time out of a gap: every reader then shows the same one
    return fromZoned(
      Temporal.PlainDateTime.from(dateTime, { overflow: 'reject' }).toZonedDateTime(timeZone),
    )
  }
  return fromZoned(Temporal.Instant.from(dateTime).toZonedDateTimeISO(timeZone))
}

/**
 * In its own zone, or in UTC where the clock time can't tell: of an hour that comes twice it names
 * the first.
 */
export function fromZoned(zoned: Temporal.ZonedDateTime): CalendarTime {
  const first = zoned.toPlainDateTime().toZonedDateTime(zoned.timeZoneId)
  if (first.epochMilliseconds !== zoned.epochMilliseconds) return fromInstant(zoned.toInstant())
  return { kind: 'zoned', local: localOf(zoned), timeZone: zoned.timeZoneId }
}

/**
 * A calendar's time as `{ dateTime, timeZone }`: a day stays a mere date, everything else has its
 * offset.
 */
export function toDateTime(time: CalendarTime, reader: ReaderZone): DateTimeInZone {
  if (time.kind === 'date') return { dateTime: time.date, timeZone: reader }
  const zoned = toZoned(time, reader)
  return {
    dateTime: `${localOf(zoned)}${zoned.timeZoneId === 'UTC' ? 'Z' : zoned.offset}`,
    timeZone: time.kind === 'zoned' ? time.timeZone : reader,
  }
}

/** The instant as a calendar's time in UTC. */
export function fromEpochMs(epochMs: number): CalendarTime {
  return fromInstant(Temporal.Instant.fromEpochMilliseconds(epochMs))
}

/** This much later on the calendar: of days, days; of clock times, exact time. */
export function later(
  time: CalendarTime,
  by: { readonly days: number } | { readonly hours: number },
): CalendarTime {
  if (time.kind === 'date')
    return { kind: 'date', date: Temporal.PlainDate.from(time.date).add(by).toString() }
  const moved = toZoned(time, 'UTC').add(by)
  return time.kind === 'floating' ? { ...time, local: localOf(moved) } : fromZoned(moved)
}

function fromInstant(instant: Temporal.Instant): CalendarTime {
  return { kind: 'zoned', local: localOf(instant.toZonedDateTimeISO('UTC')), timeZone: 'UTC' }
}

// calendars count whole seconds
export function localOf(zoned: Temporal.ZonedDateTime): string {
  return zoned.toPlainDateTime().toString({ smallestUnit: 'second' })
}
