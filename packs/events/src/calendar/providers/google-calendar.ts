import { ToolError } from '@surehand/core'
import {
  type CalendarTime,
  type DateTimeInZone,
  fromDateTime,
  isTimeZone,
  readRecurrence,
  toDateTime,
  toEpochMs,
  writeRecurrence,
} from '@surehand/icalendar'
import { asServiceError } from '@surehand/vendors'
import { z } from 'zod'
import type { NewEntry } from '../calendar-port.ts'
import {
  type CalendarEntry,
  type CalendarOwner,
  type CalendarPort,
  type CalendarQuery,
  MOST_ENTRIES,
} from '../calendar-port.ts'
import { tooMany } from '../entries-in.ts'
import { entryName } from '../entry-name.ts'
import { type Exchange, exchange, refusalOf, unreadable } from './exchange.ts'

// developers.google.com/workspace/calendar/api/v3/reference/events: of a whole day `date`, else
// `dateTime`, and a zone where one was given
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

const GoogleEvent = z.object({
  id: z.string().min(1),
  status: z.enum(['confirmed', 'tentative', 'cancelled']).default('confirmed'),
  htmlLink: z.string().min(1),
  created: z.iso.datetime({ offset: true }),
})

/** A cancelled event has only its id. */
const ListedEvent = z.union([
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

const EventList = z.object({
  items: z.array(ListedEvent).default([]),
  nextPageToken: z.string().optional(),
})

/** What is sent to make one. */
function insertBody(
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

export type GoogleCalendarOptions = {
  /** `https://www.googleapis.com/calendar/v3`, or an emulator's. */
  readonly baseUrl: string
  /**
   * With the account whose calendars they are: an OAuth access token for the scope
   * `calendar.events` goes with each request.
   */
  readonly fetchFor: (owner: CalendarOwner) => typeof globalThis.fetch
}

export const GOOGLE_CALENDAR_URL = 'https://www.googleapis.com/calendar/v3'
const PROVIDER = 'Google Calendar'
const DAY_MS = 86_400_000
const PAGE_SIZE = 2500

/** Google Calendar, API v3, of whichever account `fetchFor` sends with. */
export function googleCalendar(options: GoogleCalendarOptions): CalendarPort {
  return {
    read: (query, signal) => readAll(options, query, signal).catch(asServiceError),

    async write(writing, signal) {
      const id = base32hex(entryName(writing))
      const body = JSON.stringify(insertBody(id, writing.entry))
      const headers = { 'content-type': 'application/json' }
      const made = await ask(options, writing, {
        path: '',
        init: { method: 'POST', headers, body, signal },
      })
      // The id comes from our key: it exists because an earlier attempt made it. One that was
      // deleted since is not made again.
      const answer =
        made.status === 409
          ? await ask(options, writing, { path: `/${id}`, init: { method: 'GET', signal } })
          : made
      const { htmlLink, created } = parseAnswer(GoogleEvent, requireSuccess(answer, writing))
      return { id, htmlLink, created }
    },
  }
}

async function readAll(
  options: GoogleCalendarOptions,
  query: CalendarQuery,
  signal: AbortSignal,
): Promise<readonly CalendarEntry[]> {
  const entries: CalendarEntry[] = []
  let pageToken: string | undefined
  do {
    const answer = await ask(options, query, {
      path: `?${listQuery(query, pageToken)}`,
      init: { method: 'GET', signal },
    })
    const { items, nextPageToken } = parseAnswer(EventList, requireSuccess(answer, query))
    entries.push(...items.filter((entry) => entry !== undefined))
    if (entries.length > MOST_ENTRIES || nextPageToken === pageToken) pageToken = undefined
    else pageToken = nextPageToken
  } while (pageToken !== undefined)
  if (entries.length > MOST_ENTRIES) throw tooMany()
  return entries.filter((entry) => entry.recurrence !== undefined || overlaps(entry, query))
}

type Request = { readonly path: string; readonly init: RequestInit }

function ask(
  { baseUrl, fetchFor }: GoogleCalendarOptions,
  owner: CalendarOwner,
  { path, init }: Request,
): Promise<Exchange> {
  const url = `${baseUrl.replace(/\/$/, '')}/calendars/${encodeURIComponent(owner.calendarId)}/events${path}`
  // A token is sent only to its own origin.
  return exchange({
    fetch: fetchFor(owner),
    provider: PROVIDER,
    url,
    init: { ...init, redirect: 'error' },
  })
}

// Whole days begin in the calendar's zone there and in the reader's here: one day of margin misses
// nothing.
function listQuery(
  { fromMs, toMs, shows }: CalendarQuery,
  pageToken: string | undefined,
): URLSearchParams {
  return new URLSearchParams({
    timeMin: new Date(fromMs - DAY_MS).toISOString(),
    timeMax: new Date(toMs + DAY_MS).toISOString(),
    maxResults: String(PAGE_SIZE),
    ...(shows === 'occurrences'
      ? { singleEvents: 'true', orderBy: 'startTime' }
      : { singleEvents: 'false' }),
    ...(pageToken === undefined ? {} : { pageToken }),
  })
}

function overlaps(
  { start, end }: CalendarEntry,
  { fromMs, toMs, timeZone }: CalendarQuery,
): boolean {
  const startMs = toEpochMs(start, timeZone)
  return startMs < toMs && (startMs >= fromMs || toEpochMs(end, timeZone) > fromMs)
}

const Refusal = z.object({
  error: z.object({ errors: z.array(z.object({ reason: z.string() })).default([]) }),
})
const TOO_OFTEN = new Set(['rateLimitExceeded', 'userRateLimitExceeded', 'quotaExceeded'])

function requireSuccess(answer: Exchange, { calendarId }: CalendarOwner): string {
  const { status, text } = answer
  if (status >= 200 && status < 300) return text
  if (status === 403 && reasonsIn(text).some((reason) => TOO_OFTEN.has(reason)))
    throw new ToolError('TOOL_RATE_LIMIT_EXCEEDED', `${PROVIDER} wants to be asked less often.`, {
      effect: 'none',
    })
  throw refusalOf(
    answer,
    status === 404
      ? `${PROVIDER} knows no calendar "${calendarId}".`
      : `${PROVIDER} answered with the status ${status}.`,
  )
}

function reasonsIn(text: string): readonly string[] {
  try {
    return Refusal.parse(JSON.parse(text)).error.errors.map(({ reason }) => reason)
  } catch {
    return [] // a refusal that can't be read is the refusal its status says
  }
}

function parseAnswer<T extends z.ZodType>(shape: T, text: string): z.output<T> {
  try {
    return shape.parse(JSON.parse(text))
  } catch (cause) {
    throw unreadable(PROVIDER, cause)
  }
}

const DIGITS = '0123456789abcdefghijklmnopqrstuv'

/** The letters that Google allows in an id: RFC 2938's base32hex, small. */
function base32hex(hex: string): string {
  const bits = [...hex]
    .map((digit) => Number.parseInt(digit, 16).toString(2).padStart(4, '0'))
    .join('')
  return (bits.match(/.{1,5}/g) ?? [])
    .map((five) => DIGITS[Number.parseInt(five.padEnd(5, '0'), 2)])
    .join('')
}
