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
  MAX_ENTRIES,
} from '../calendar-port.ts'
import { entryName } from '../entry-name.ts'
import { tooManyEvents } from '../find-entries.ts'
import { type HttpResponse, sendRequest, statusError, unreadableAnswer } from './send-request.ts'

// developers.google.com/workspace/calendar/api/v3/reference/events: all-day events have `date`, others
// `dateTime` and, if one was given, a zone.
const Time = z.union([
  z.object({ date: z.iso.date() }).transform(({ date }): CalendarTime => ({ kind: 'date', date })),
  z
    .object({ dateTime: z.iso.datetime({ offset: true }), timeZone: z.string().default('UTC') })
    .transform(readTime),
])

// Old calendars have zones such as "GMT-03:00"; then the offset of the time itself is used.
function readTime({ dateTime, timeZone }: DateTimeInZone): CalendarTime {
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
      transparency: z.string().optional(),
    })
    .transform(({ id, summary, location, start, end, recurrence, transparency }): CalendarEntry => {
      return {
        id,
        summary,
        start,
        end,
        ...(location === undefined ? {} : { location }),
        ...(recurrence === undefined ? {} : { recurrence: readRecurrence(recurrence) }),
        ...(transparency === 'transparent' ? { isTransparent: true } : {}),
      }
    }),
])

const EventList = z.object({
  items: z.array(ListedEvent).default([]),
  nextPageToken: z.string().optional(),
})

/** The request body that creates an event. */
function insertBody(
  id: string,
  { summary, description, location, start, end, recurrence, reminders }: NewEntry,
): object {
  return {
    id,
    summary,
    start: toGoogleTime(start),
    end: toGoogleTime(end),
    ...(description === undefined ? {} : { description }),
    ...(location === undefined ? {} : { location }),
    ...(recurrence === undefined ? {} : { recurrence: writeRecurrence(recurrence) }),
    ...(reminders === undefined ? {} : { reminders }),
  }
}

function toGoogleTime(time: CalendarTime): object {
  return time.kind === 'date' ? { date: time.date } : toDateTime(time, 'UTC')
}

export type GoogleCalendarOptions = {
  /** `https://www.googleapis.com/calendar/v3`, or an emulator's. */
  readonly baseUrl: string
  /**
   * Sends with the account that owns the calendars: it adds an OAuth access token with the scope
   * `calendar.events` to each request.
   */
  readonly fetchFor: (owner: CalendarOwner) => typeof globalThis.fetch
}

export const GOOGLE_CALENDAR_URL = 'https://www.googleapis.com/calendar/v3'
const PROVIDER = 'Google Calendar'
const DAY_MS = 86_400_000
const PAGE_SIZE = 2500

/** Google Calendar, API v3, with the account that `fetchFor` sends for. */
export function googleCalendar(options: GoogleCalendarOptions): CalendarPort {
  return {
    read: (query, signal) => readAll(options, query, signal).catch(asServiceError),

    async write(writing, signal) {
      const id = base32hex(entryName(writing))
      const body = JSON.stringify(insertBody(id, writing.entry))
      const headers = { 'content-type': 'application/json' }
      const made = await sendGoogle(options, writing, {
        path: '',
        init: { method: 'POST', headers, body, signal },
      })
      // The id comes from our key: it exists because an earlier attempt made it. One that was
      // deleted since is not made again.
      const answer =
        made.status === 409
          ? await sendGoogle(options, writing, { path: `/${id}`, init: { method: 'GET', signal } })
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
    const answer = await sendGoogle(options, query, {
      path: `?${listQuery(query, pageToken)}`,
      init: { method: 'GET', signal },
    })
    const { items, nextPageToken } = parseAnswer(EventList, requireSuccess(answer, query))
    entries.push(...items.filter((entry) => entry !== undefined))
    if (entries.length > MAX_ENTRIES || nextPageToken === pageToken) pageToken = undefined
    else pageToken = nextPageToken
  } while (pageToken !== undefined)
  if (entries.length > MAX_ENTRIES) throw tooManyEvents()
  return entries.filter((entry) => entry.recurrence !== undefined || overlaps(entry, query))
}

type Request = { readonly path: string; readonly init: RequestInit }

function sendGoogle(
  { baseUrl, fetchFor }: GoogleCalendarOptions,
  owner: CalendarOwner,
  { path, init }: Request,
): Promise<HttpResponse> {
  const url = `${baseUrl.replace(/\/$/, '')}/calendars/${encodeURIComponent(owner.calendarId)}/events${path}`
  // A token is sent only to its own origin.
  return sendRequest({
    fetch: fetchFor(owner),
    provider: PROVIDER,
    url,
    init: { ...init, redirect: 'error' },
  })
}

// Google starts all-day events in the calendar's zone, this API in the reader's: one day of margin
// covers the difference.
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
const RATE_LIMIT_REASONS = new Set(['rateLimitExceeded', 'userRateLimitExceeded', 'quotaExceeded'])

function requireSuccess(answer: HttpResponse, { calendarId }: CalendarOwner): string {
  const { status, text } = answer
  if (status >= 200 && status < 300) return text
  if (status === 403 && reasonsIn(text).some((reason) => RATE_LIMIT_REASONS.has(reason)))
    throw new ToolError('TOOL_RATE_LIMIT_EXCEEDED', `${PROVIDER} limits the rate of requests.`, {
      effect: 'none',
    })
  throw statusError(
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
    return [] // Without a readable reason, the status decides.
  }
}

function parseAnswer<T extends z.ZodType>(shape: T, text: string): z.output<T> {
  try {
    return shape.parse(JSON.parse(text))
  } catch (cause) {
    throw unreadableAnswer(PROVIDER, cause)
  }
}

const DIGITS = '0123456789abcdefghijklmnopqrstuv'

/** The characters that Google allows in an id: RFC 2938's base32hex, in lower case. */
function base32hex(hex: string): string {
  const bits = [...hex]
    .map((digit) => Number.parseInt(digit, 16).toString(2).padStart(4, '0'))
    .join('')
  return (bits.match(/.{1,5}/g) ?? [])
    .map((five) => DIGITS[Number.parseInt(five.padEnd(5, '0'), 2)])
    .join('')
}
