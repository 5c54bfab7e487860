import {
  type CalendarEvent,
  type CalendarTime,
  fromDateTime,
  occurrences,
  readRecurrence,
  toDateTime,
} from '@surehand/icalendar'
import type { EffectLog, EmulatorReply, EmulatorRequest } from '@surehand/testing'
import type { z } from 'zod'
import { eventsOf, refusal, type StoredEvent, type Time } from './google-calendar-state.ts'

const WITH_OFFSET = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}:\d{2})$/
/** The zone of every calendar here: whole days begin in it. */
const CALENDAR_ZONE = 'America/Los_Angeles'
/** Fewer than Google's own 2500, which it does not promise to fill either: whoever reads one page only is found out. */
const MOST_A_PAGE = 250

/** events.list: `singleEvents`, `timeMin`, `timeMax`, `maxResults`, `pageToken`, `orderBy=startTime`. */
export function listReply({ params, query }: EmulatorRequest, log: EffectLog): EmulatorReply {
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
    isSingle ? instancesOf(event, window) : isThen(event, window) ? [event] : [],
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
  const size = Math.min(Number(query.get('maxResults') ?? 250), MOST_A_PAGE)
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

const isThen = (event: StoredEvent, window: Window): boolean =>
  occurrences([readEvent(event)], window).length > 0
const startMs = (event: StoredEvent): number => startOf(readTime(event.start))
const startOf = (time: CalendarTime): number => Date.parse(toDateTime(time, CALENDAR_ZONE).dateTime)

/** Throws what is no time: an insert is tried with it before it is kept. */
export function readEvent({
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
