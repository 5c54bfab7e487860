import { toEpochMs } from '@surehand/icalendar'
import type { EffectLog, EmulatorReply, EmulatorRequest, EmulatorRoute } from '@surehand/testing'
import { listReply, readEvent } from './google-calendar-list.ts'
import { eventsOf, Insert, type Kept, refusal, type StoredEvent } from './google-calendar-state.ts'

const EVENTS = '/calendar/v3/calendars/:calendarId/events'
/** A token that Google would have taken an hour ago. */
export const EXPIRED_TOKEN = 'expired'
const KNOWN_CALENDAR = /^primary$|@group\.calendar\.google\.com$/
const ID = /^[a-v0-9]{5,1024}$/

/** Google Calendar v3 in its wire format: events.list, get, insert and delete. */
export const routes: readonly EmulatorRoute[] = [
  { method: 'GET', path: EVENTS, handle: guarded(listReply) },
  { method: 'POST', path: EVENTS, handle: guarded(insertReply) },
  { method: 'GET', path: `${EVENTS}/:eventId`, handle: guarded(getReply) },
  { method: 'DELETE', path: `${EVENTS}/:eventId`, handle: guarded(deleteReply) },
]

function guarded(handle: EmulatorRoute['handle']): EmulatorRoute['handle'] {
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
  const trouble = troubleOf({ ...read.data, id })
  if (trouble !== undefined) return trouble
  // the link leads here: nobody takes it for an event at Google's
  const htmlLink = `http://${request.headers.host ?? 'emulator'}/calendar/event?eid=${id}`
  const event: StoredEvent = {
    ...read.data,
    kind: 'calendar#event',
    id,
    status: 'confirmed',
    htmlLink,
    created: new Date().toISOString(),
  }
  return { body: event, effect: { kind: 'insert', calendarId, event } satisfies Kept }
}

function troubleOf(
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
  return { status: 204, effect: { kind: 'delete', calendarId, eventId } satisfies Kept }
}
