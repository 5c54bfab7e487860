import { ToolError } from '@surehand/core'
import { atTime, type Day, dayOf, isDay, readWhen, type WallTime } from '@surehand/dates'
import type { LocalTime } from '../local-time.ts'

/** A day, or a wall-clock time in a zone, which keeps its hour when the clocks change. */
export type Due =
  | { readonly day: Day; readonly time?: never; readonly zone?: never; readonly at?: never }
  | { readonly day: Day; readonly time: WallTime; readonly zone: string; readonly at: number }

const ISO = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2})(?::00)?)?$/
const TIME = /^(?:[01]\d|2[0-3]):[0-5]\d$/

export function dueOn(day: Day, time: WallTime | undefined, zone: string): Due {
  return time === undefined ? { day } : { day, time, zone, at: atTime(day, time, zone) }
}

/** Reads a day, in words or as `2026-05-01`, with an optional time. Throws when there is none. */
export function readDue(text: string, localTime: LocalTime, field: string): Due {
  const parsed = localTime.parsedDates?.find(([said]) => said === text)
  const due = parsed === undefined ? parseDue(text, localTime) : parsed[1]
  if (due !== undefined && due !== null) return due
  throw new ToolError(
    'TOOL_INVALID_FIELD_VALUE',
    `"${text}" contains no date. Write one such as "tomorrow", "Friday 5pm" or "2026-05-01", between the years 1900 and 2200.`,
    {
      details: {
        validation_errors: [{ field, error: 'contains no date', provided_value: text }],
      },
    },
  )
}

/** The same, undefined when the text has no date. */
export function parseDue(text: string, localTime: LocalTime): Due | undefined {
  const written = ISO.exec(text.trim())
  return written === null ? parseDueWords(text, localTime) : parseIsoDue(written, localTime)
}

// "11/12/2026 10am" has no word of any language but this one, which is English; the order of day and
// month still follows the time zone.
const ENGLISH_HOUR = /\d(?:am|pm)\b|\d\s?[ap]\.m\./i

/** The languages that a text can be in; all of them if nothing speaks against it. */
export function languagesOf(text: string): { readonly languages?: readonly ['en'] } {
  return ENGLISH_HOUR.test(text) ? { languages: ['en'] } : {}
}

function parseDueWords(text: string, { now, zone }: LocalTime): Due | undefined {
  const [when] = readWhen(text, {
    now,
    timeZone: zone,
    prefer: 'future',
    ...languagesOf(text),
  })
  return when === undefined || !isDay(when.day)
    ? undefined
    : dueOn(when.day, when.time, when.timeZone)
}

// An invalid date must not be parsed as words: "2026-01-15 25:00" is not that day.
function parseIsoDue([, day = '', time]: RegExpExecArray, { zone }: LocalTime): Due | undefined {
  return isDay(day) && (time === undefined || TIME.test(time)) ? dueOn(day, time, zone) : undefined
}

/** Reads only the day. */
export function readDay(text: string, localTime: LocalTime, field: string): Day {
  return readDue(text, localTime, field).day
}

/**
 * The calendar day on which it falls in a zone: tomorrow morning in Tokyo is this evening in
 * Berlin.
 */
export function dueDay(due: Due, zone: string): Day {
  return due.at === undefined ? due.day : dayOf(due.at, zone)
}

/** A day is overdue when it has ended in the person's zone; an instant is the same everywhere. */
export function isOverdue(due: Due | undefined, localTime: LocalTime): boolean {
  if (due === undefined) return false
  return due.at === undefined ? due.day < localTime.today : due.at < localTime.now
}

/** The sort key of rows: a day sorts after the times of that day, and no due date sorts last. */
export function dueKey(due: Due | undefined): string {
  return due === undefined ? '9999-12-31 24:00' : `${due.day} ${due.time ?? '24:00'}`
}

/** Reads a day that is not in the past. */
export function readFutureDay(text: string, localTime: LocalTime): string {
  const day = readDay(text, localTime, 'until')
  if (day >= localTime.today) return day
  throw new ToolError(
    'TOOL_INVALID_FIELD_VALUE',
    `${day} is in the past: today is ${localTime.today} in ${localTime.zone}.`,
    {
      details: {
        validation_errors: [
          { field: 'until', error: 'must not be in the past', provided_value: text },
        ],
        today: localTime.today,
      },
    },
  )
}
