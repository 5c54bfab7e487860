import type { CalendarEvent } from '@surehand/icalendar'
import { z } from 'zod'
import { asVendorsTrouble } from '../../providers/as-vendors-trouble.ts'
import type { CalendarPort, CalendarQuery, WrittenEntry } from '../calendar-port.ts'
import { entriesIn } from '../entries-in.ts'
import { entryName } from '../entry-name.ts'
import {
  ask,
  type CaldavAccount,
  type DavRequest,
  PROVIDER,
  question,
  refusedWith,
} from './caldav-account.ts'
import { type Collection, chosen, discover, noCalendar } from './caldav-discovery.ts'
import { eventFile } from './event-file.ts'
import { unreadable } from './exchange.ts'
import { readEvents } from './read-events.ts'

export type CaldavOptions = CaldavAccount & { readonly now: () => number }

const DAY_MS = 86_400_000
const CALENDAR_TYPE = 'text/calendar; charset=utf-8'

/** Any CalDAV server (RFC 4791). The account is the one it is given: whoever calls, it is that account's calendars they see. */
export function caldav(options: CaldavOptions): CalendarPort {
  let known: readonly Collection[] | undefined
  // where the calendars are rarely changes; what is not among them is looked for again
  async function collection(
    request: Omit<DavRequest, 'url'>,
    calendarId: string,
  ): Promise<Collection> {
    const there = known === undefined ? undefined : chosen(known, calendarId)
    if (there !== undefined) return there
    known = await discover(options, request)
    const found = chosen(known, calendarId)
    if (found === undefined) throw noCalendar(known, calendarId)
    return found
  }

  return {
    async read(query, signal) {
      const { tenant, calendarId } = query
      const { url } = await collection({ tenant, signal }, calendarId).catch(asVendorsTrouble)
      return entriesIn(
        await eventsIn(options, { tenant, url, signal }, query).catch(asVendorsTrouble),
        query,
      )
    },

    async write(writing, signal) {
      const request = { tenant: writing.tenant, signal }
      const { url: folder } = await collection(request, writing.calendarId)
      const uid = entryName(writing)
      const url = new URL(`${uid}.ics`, folder.replace(/\/?$/, '/')).href
      // iCalendar knows nothing smaller than a second: whoever asks again must hear the same
      const now = Math.floor(options.now() / 1000) * 1000
      const body = eventFile({ uid, entry: writing.entry, now })
      const headers = { 'content-type': CALENDAR_TYPE, 'if-none-match': '*' }
      const put = await ask(options, { ...request, url }, { method: 'PUT', headers, body })
      // it is there: an earlier try under this key made it
      if (put.status !== 412 && (put.status < 200 || put.status > 299))
        throw refusedWith(put.status)
      return put.status === 412
        ? writtenAt(options, { ...request, url })
        : { id: uid, htmlLink: url, created: new Date(now).toISOString() }
    },
  }
}

async function writtenAt(options: CaldavOptions, request: DavRequest): Promise<WrittenEntry> {
  const { status, text } = await ask(options, request, { method: 'GET' })
  if (status !== 200) throw refusedWith(status)
  const [event] = readEvents(text, request.url)
  if (event?.created === undefined)
    throw unreadable(PROVIDER, new Error('it does not say when it was made'))
  return { id: event.uid, htmlLink: request.url, created: new Date(event.created).toISOString() }
}

const Found = z.object({
  calendarData: z.union([
    z.string(),
    z.object({ _cdata: z.string() }).transform(({ _cdata }) => _cdata),
  ]),
})

// series are expanded here: Radicale and others give them as they were written. A day to spare, since whole days begin at their reader's midnight
async function eventsIn(
  options: CaldavOptions,
  request: DavRequest,
  { fromMs, toMs }: CalendarQuery,
): Promise<readonly CalendarEvent[]> {
  const range = { start: stamp(fromMs - DAY_MS), end: stamp(toMs + DAY_MS) }
  const events = { _attributes: { name: 'VEVENT' }, 'c:time-range': { _attributes: range } }
  const body = {
    'c:calendar-query': {
      _attributes: { 'xmlns:d': 'DAV:', 'xmlns:c': 'urn:ietf:params:xml:ns:caldav' },
      'd:prop': { 'd:getetag': {}, 'c:calendar-data': {} },
      'c:filter': {
        'c:comp-filter': { _attributes: { name: 'VCALENDAR' }, 'c:comp-filter': events },
      },
    },
  }
  const responses = await question(options, { ...request, method: 'REPORT', depth: '1', body })
  return responses.flatMap(({ href, status, props }) => {
    // nothing found is one response about nothing; what was deleted meanwhile is not found
    if (href === undefined || status === 404) return []
    const found = Found.safeParse(props)
    if (!found.success) throw unreadable(PROVIDER, found.error)
    return readEvents(found.data.calendarData, href)
  })
}

const stamp = (atMs: number): string =>
  `${new Date(atMs).toISOString().slice(0, 19).replace(/[-:]/g, '')}Z`
