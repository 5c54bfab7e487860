import { ToolError } from '@surehand/core'
import type ICAL from 'ical.js'
import { Temporal } from 'temporal-polyfill'
import type { CalendarTime } from './calendar-item.ts'

/** What a file calls a zone, as the time zone database calls it. */
export type ZoneNames = (given: string) => string | undefined

/** All times of a property, be they days, clock times or the beginnings of periods. */
export function timesOf(property: ICAL.Property, zones: ZoneNames): readonly CalendarTime[] {
  const zone = property.getFirstParameter('tzid')
  // as they were written: the library's own times turn the thirtieth of February into the second of
  // March
  const values: unknown[] = property.jCal.slice(3)
  return values.map((value) =>
    timeOf(
      String(Array.isArray(value) ? value[0] : value),
      zone === undefined ? undefined : zones(zone),
    ),
  )
}

/** An instant that is written in UTC (DTSTAMP, CREATED), as RFC 3339. */
export function instantOf(property: ICAL.Property): string | undefined {
  const text = String(property.getFirstValue() ?? '')
  try {
    return Temporal.Instant.from(text.endsWith('Z') ? text : `${text}Z`).toString()
  } catch {
    return undefined // some write a mere day, or nonsense: it is no reason to lose the event
  }
}

function timeOf(text: string, timeZone: string | undefined): CalendarTime {
  try {
    if (!text.includes('T'))
      return {
        kind: 'date',
        date: Temporal.PlainDate.from(text, { overflow: 'reject' }).toString(),
      }
    const local = Temporal.PlainDateTime.from(text.replace(/Z$/, ''), {
      overflow: 'reject',
    }).toString({ smallestUnit: 'second' })
    if (text.endsWith('Z')) return { kind: 'zoned', local, timeZone: 'UTC' }
    // a zone that nobody knows: the clock time is all there is
    return timeZone === undefined ? { kind: 'floating', local } : { kind: 'zoned', local, timeZone }
  } catch (cause) {
    throw new ToolError(
      'TOOL_INVALID_FIELD_VALUE',
      `"${text.slice(0, 40)}" is not a date or a time.`,
      { cause },
    )
  }
}
