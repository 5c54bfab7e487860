import {
  type CalendarEvent,
  type CalendarTime,
  fromDateTime,
  occurrences,
  readRecurrence,
  toDateTime,
  toEpochMs,
} from '@surehand/icalendar'
import type { EffectLog, EmulatorReply, EmulatorRequest, EmulatorRoute } from '@surehand/testing'
import type { z } from 'zod'
import {
  eventsOf,
  Insert,
  refusal,
  type StoredEffect,
  type StoredEvent,
  type Time,
} from './google-calendar-state.ts'

const WITH_OFFSET = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}:\d{2})$/
/** The zone of all calendars here: all-day events begin in it. */
const CALENDAR_ZONE = 'America/Los_Angeles'
/** Fewer than Google's own 2500, so that a client that reads one page only fails. */
const MAX_PAGE_SIZE = 250

/**
 * events.list: `singleEvents`, `timeMin`, `timeMax`, `maxResults`, `pageToken`,
 * `orderBy=startTime`.
 */
function listReply({ params, query }: EmulatorRequest, log: EffectLog): EmulatorReply {
  const [timeMin, timeMax] = [query.get('timeMin'), query.get('timeMax')]
  if ([timeMin, timeMax].some((time) => time !== null && !WITH_OFFSET.test(time)))
    return refusal(400, 'badRequest', 'Bad Request')
  const isSingle = query.get('singleEvents') === 'true'
  if (query.get('orderBy') === 'startTime' && !isSingle)
    return refusal(
      400,
      'invalid',
      'The requested ordering is not available for the particular query.',
    )
  const window = {
    fromMs: timeMin === null ? 0 : Date.parse(timeMin),
    toMs: timeMax === null ? Date.UTC(2100, 0, 1) : Date.parse(timeMax),
    timeZone: CALENDAR_ZONE,
  }
  const live = eventsOf(log, params.calendarId ?? '').filter(({ status }) => status === 'confirmed')
  const items = live.flatMap((event) =>
    isSingle ? instancesOf(event, window) : isInWindow(event, window) ? [event] : [],
  )
  const byStart = items
    .map((event) => ({ event, atMs: startMs(event) }))
    .toSorted((left, right) => left.atMs - right.atMs)
  const sorted = isSingle ? byStart.map(({ event }) => event) : items
  return page(sorted, query)
}

type Window = { readonly fromMs: number; readonly toMs: number; readonly timeZone: string }

function page(items: readonly StoredEvent[], query: URLSearchParams): EmulatorReply {
  const from = Number(query.get('pageToken') ?? 0)
  const size = Math.min(Number(query.get('maxResults') ?? 250), MAX_PAGE_SIZE)
  const next = from + size < items.length ? { nextPageToken: String(from + size) } : {}
  return {
    body: {
      kind: 'calendar#events',
      timeZone: CALENDAR_ZONE,
      ...next,
      items: items.slice(from, from + size),
    },
  }
}

function instancesOf(event: StoredEvent, window: Window): readonly StoredEvent[] {
  const { recurrence: _, ...single } = event
  return occurrences([readEvent(event)], window).map(({ start, end, recurrenceId }) => {
    if (recurrenceId === undefined) return event
    const suffix =
      recurrenceId.kind === 'date'
        ? recurrenceId.date
        : `${new Date(startOf(recurrenceId)).toISOString().slice(0, 19)}Z`
    const id = `${event.id}_${suffix.replace(/[-:]/g, '')}`
    return {
      ...single,
      id,
      recurringEventId: event.id,
      start: writeTime(start),
      end: writeTime(end),
    }
  })
}

const isInWindow = (event: StoredEvent, window: Window): boolean =>
  occurrences([readEvent(event)], window).length > 0
const startMs = (event: StoredEvent): number => startOf(readTime(event.start))
const startOf = (time: CalendarTime): number => Date.parse(toDateTime(time, CALENDAR_ZONE).dateTime)

/** Throws if a time is invalid: an insert is parsed before it is stored. */
function readEvent({
  id,
  start,
  end,
  recurrence = [],
}: Pick<StoredEvent, 'id' | 'start' | 'end' | 'recurrence'>): CalendarEvent {
  const lines = recurrence.length === 0 ? {} : { recurrence: readRecurrence(recurrence) }
  return { kind: 'event', uid: id, start: readTime(start), end: readTime(end), ...lines }
}

function readTime({
  date,
  dateTime,
  timeZone = CALENDAR_ZONE,
}: z.output<typeof Time>): CalendarTime {
  return fromDateTime({ dateTime: date ?? dateTime ?? '', timeZone })
}

function writeTime(time: CalendarTime): z.output<typeof Time> {
  return time.kind === 'date' ? { date: time.date } : toDateTime(time, CALENDAR_ZONE)
}

const EVENTS = '/calendar/v3/calendars/:calendarId/events'
/** A token that has expired. */
export const EXPIRED_TOKEN = 'expired'
const KNOWN_CALENDAR = /^primary$|@group\.calendar\.google\.com$/
const ID = /^[a-v0-9]{5,1024}$/

/** Google Calendar v3 in its wire format: events.list, get, insert and delete. */
export const routes: readonly EmulatorRoute[] = [
  { method: 'GET', path: EVENTS, handle: requireToken(listReply) },
  { method: 'POST', path: EVENTS, handle: requireToken(insertReply) },
  { method: 'GET', path: `${EVENTS}/:eventId`, handle: requireToken(getReply) },
  { method: 'DELETE', path: `${EVENTS}/:eventId`, handle: requireToken(deleteReply) },
]

function requireToken(handle: EmulatorRoute['handle']): EmulatorRoute['handle'] {
  return (request, log) => {
    const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1]
    if (token === undefined || token === EXPIRED_TOKEN)
      return refusal(401, 'authError', 'Invalid Credentials')
    if (!KNOWN_CALENDAR.test(request.params.calendarId ?? ''))
      return refusal(404, 'notFound', 'Not Found')
    return handle(request, log)
  }
}

function insertReply(request: EmulatorRequest, log: EffectLog): EmulatorReply {
  const calendarId = request.params.calendarId ?? ''
  const read = Insert.safeParse(request.json())
  if (!read.success) return refusal(400, 'required', 'Missing end time.')
  const events = eventsOf(log, calendarId)
  const id = read.data.id ?? `emulated${events.length + 1}`
  if (!ID.test(id)) return refusal(400, 'invalid', 'Invalid resource id value.')
  if (events.some((event) => event.id === id))
    return refusal(409, 'duplicate', 'The requested identifier already exists.')
  const problem = findProblem({ ...read.data, id })
  if (problem !== undefined) return problem
  // The link leads to the emulator, so that it is not mistaken for an event at Google.
  const htmlLink = `http://${request.headers.host ?? 'emulator'}/calendar/event?eid=${id}`
  const event: StoredEvent = {
    ...read.data,
    kind: 'calendar#event',
    id,
    status: 'confirmed',
    htmlLink,
    created: new Date().toISOString(),
  }
  return { body: event, effect: { kind: 'insert', calendarId, event } satisfies StoredEffect }
}

function findProblem(
  insert: Pick<StoredEvent, 'id' | 'start' | 'end' | 'recurrence'>,
): EmulatorReply | undefined {
  const { start, end, recurrence } = insert
  if ((start.date === undefined) !== (end.date === undefined))
    return refusal(400, 'invalid', 'Invalid start time.')
  if (recurrence !== undefined && start.date === undefined && start.timeZone === undefined)
    return refusal(400, 'required', 'Missing time zone definition for start time.')
  try {
    const event = readEvent(insert)
    const lengthMs = toEpochMs(event.end ?? event.start, 'UTC') - toEpochMs(event.start, 'UTC')
    return lengthMs < 0
      ? refusal(400, 'timeRangeEmpty', 'The specified time range is empty.')
      : undefined
  } catch {
    return refusal(400, 'badRequest', 'Bad Request')
  }
}

function getReply({ params }: EmulatorRequest, log: EffectLog): EmulatorReply {
  const event = eventsOf(log, params.calendarId ?? '').find(({ id }) => id === params.eventId)
  return event === undefined ? refusal(404, 'notFound', 'Not Found') : { body: event }
}

function deleteReply({ params }: EmulatorRequest, log: EffectLog): EmulatorReply {
  const { calendarId = '', eventId = '' } = params
  const event = eventsOf(log, calendarId).find(({ id }) => id === eventId)
  if (event === undefined) return refusal(404, 'notFound', 'Not Found')
  if (event.status === 'cancelled') return refusal(410, 'deleted', 'Resource has been deleted')
  return { status: 204, effect: { kind: 'delete', calendarId, eventId } satisfies StoredEffect }
}
