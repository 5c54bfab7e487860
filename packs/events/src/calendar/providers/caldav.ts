import { ToolError } from '@surehand/core'
import type { CalendarEvent } from '@surehand/icalendar'
import { asServiceError } from '@surehand/vendors'
import { DAVNamespaceShort, type DAVResponse } from 'tsdav'
import { z } from 'zod'
import type { CalendarPort, CalendarQuery, WrittenEntry } from '../calendar-port.ts'
import { entryName } from '../entry-name.ts'
import { findEntries } from '../find-entries.ts'
import {
  type CaldavAccount,
  type DavRequest,
  davStatusError,
  PROVIDER,
  queryDav,
  sendDav,
} from './caldav-account.ts'
import { eventFile } from './event-file.ts'
import { readEvents } from './read-events.ts'
import { unreadableAnswer } from './send-request.ts'

/** A calendar that accepts events. */
type Collection = { readonly url: string; readonly name: string }

const NAMESPACES = { 'xmlns:d': 'DAV:', 'xmlns:c': 'urn:ietf:params:xml:ns:caldav' }
const { DAV, CALDAV } = DAVNamespaceShort

/** RFC 6764 and 4791: from the account to the principal, to its home, to the calendars there. */
async function discover(
  account: CaldavAccount,
  request: Omit<DavRequest, 'url'>,
): Promise<readonly Collection[]> {
  const own = (url: string, properties: readonly string[]) =>
    propfind(account, { ...request, url }, properties)
  const [start] = await own(account.url, [`${DAV}:current-user-principal`])
  const principal = hrefIn(start, 'currentUserPrincipal', account.url) ?? account.url
  const [known] = await own(principal, [`${CALDAV}:calendar-home-set`])
  const home = hrefIn(known, 'calendarHomeSet', principal) ?? principal
  const properties = [
    `${DAV}:resourcetype`,
    `${DAV}:displayname`,
    `${CALDAV}:supported-calendar-component-set`,
  ]
  const children = await propfind(account, { ...request, url: home }, properties, '1')
  return children.flatMap((child) => toCollections(child, home))
}

/** The requested calendar: the first one, or the one with that name or that last path segment. */
function chooseCalendar(
  collections: readonly Collection[],
  calendarId: string,
): Collection | undefined {
  const named = collections.find(
    ({ url, name }) => name === calendarId || url === calendarId || lastPart(url) === calendarId,
  )
  return named ?? (calendarId === 'primary' ? collections[0] : undefined)
}

function noCalendar(collections: readonly Collection[], calendarId: string): ToolError {
  const known = collections.map(({ name }) => name)
  return new ToolError('TOOL_RESOURCE_NOT_FOUND', `${PROVIDER} has no calendar "${calendarId}".`, {
    details: { known },
    effect: 'none',
  })
}

type Properties = readonly string[]

function propfind(
  account: CaldavAccount,
  request: DavRequest,
  names: Properties,
  depth: '0' | '1' = '0',
): Promise<readonly DAVResponse[]> {
  const body = {
    'd:propfind': {
      _attributes: NAMESPACES,
      'd:prop': Object.fromEntries(names.map((name) => [name, {}])),
    },
  }
  return queryDav(account, { ...request, method: 'PROPFIND', depth, body })
}

const Href = z.object({ href: z.string() })

function hrefIn(
  response: DAVResponse | undefined,
  property: string,
  base: string,
): string | undefined {
  const found = Href.safeParse(response?.props?.[property])
  return found.success ? resolveHref(found.data.href, base) : undefined
}

const Component = z.object({ _attributes: z.object({ name: z.string() }) })
const Props = z.object({
  resourcetype: z.looseObject({ calendar: z.unknown().optional() }).optional(),
  displayname: z.unknown().optional(),
  // One component is an object, several are a list.
  supportedCalendarComponentSet: z
    .object({ comp: z.union([Component, z.array(Component)]) })
    .optional(),
})

function toCollections({ href, props }: DAVResponse, base: string): readonly Collection[] {
  const read = Props.safeParse(props ?? {})
  if (!read.success || href === undefined || read.data.resourcetype?.calendar === undefined)
    return []
  const components = [read.data.supportedCalendarComponentSet?.comp ?? []]
    .flat()
    .map(({ _attributes }) => _attributes.name)
  // Without this property a calendar accepts every component.
  if (components.length > 0 && !components.includes('VEVENT')) return []
  const url = resolveHref(href, base)
  const { displayname } = read.data
  const hasName = typeof displayname === 'string' || typeof displayname === 'number'
  return [{ url, name: hasName ? String(displayname) : lastPart(url) }]
}

function resolveHref(href: string, base: string): string {
  try {
    return new URL(href, base).href
  } catch (cause) {
    throw unreadableAnswer(PROVIDER, cause)
  }
}

const lastPart = (url: string): string =>
  decodeURIComponent(new URL(url).pathname.split('/').findLast((part) => part !== '') ?? '')

export type CaldavOptions = CaldavAccount & { readonly now: () => number }

const DAY_MS = 86_400_000
const CALENDAR_TYPE = 'text/calendar; charset=utf-8'

/** Any CalDAV server (RFC 4791). Every caller sees the calendars of the configured account. */
export function caldav(options: CaldavOptions): CalendarPort {
  let known: readonly Collection[] | undefined
  // Discovery results rarely change; a calendar that is missing triggers discovery again.
  async function collection(
    request: Omit<DavRequest, 'url'>,
    calendarId: string,
  ): Promise<Collection> {
    const cached = known === undefined ? undefined : chooseCalendar(known, calendarId)
    if (cached !== undefined) return cached
    known = await discover(options, request)
    const found = chooseCalendar(known, calendarId)
    if (found === undefined) throw noCalendar(known, calendarId)
    return found
  }

  return {
    async read(query, signal) {
      const { tenant, calendarId } = query
      const { url } = await collection({ tenant, signal }, calendarId).catch(asServiceError)
      return findEntries(
        await queryEvents(options, { tenant, url, signal }, query).catch(asServiceError),
        query,
      )
    },

    async write(writing, signal) {
      const request = { tenant: writing.tenant, signal }
      const { url: folder } = await collection(request, writing.calendarId)
      const uid = entryName(writing)
      const url = new URL(`${uid}.ics`, folder.replace(/\/?$/, '/')).href
      // iCalendar has no unit below a second: a replay must return the same value.
      const now = Math.floor(options.now() / 1000) * 1000
      const body = eventFile({ uid, entry: writing.entry, now })
      const headers = { 'content-type': CALENDAR_TYPE, 'if-none-match': '*' }
      const put = await sendDav(options, { ...request, url }, { method: 'PUT', headers, body })
      // It exists: an earlier attempt under this key made it.
      if (put.status !== 412 && (put.status < 200 || put.status > 299))
        throw davStatusError(put.status)
      return put.status === 412
        ? readWritten(options, { ...request, url })
        : { id: uid, htmlLink: url, created: new Date(now).toISOString() }
    },
  }
}

async function readWritten(options: CaldavOptions, request: DavRequest): Promise<WrittenEntry> {
  const { status, text } = await sendDav(options, request, { method: 'GET' })
  if (status !== 200) throw davStatusError(status)
  const [event] = readEvents(text, request.url)
  if (event?.created === undefined)
    throw unreadableAnswer(PROVIDER, new Error('the event has no CREATED time'))
  return { id: event.uid, htmlLink: request.url, created: new Date(event.created).toISOString() }
}

const Found = z.object({
  calendarData: z.union([
    z.string(),
    z.object({ _cdata: z.string() }).transform(({ _cdata }) => _cdata),
  ]),
})

// Series are expanded here: Radicale and others return them unexpanded. One day of margin, since
// whole days begin at the reader's midnight.
async function queryEvents(
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
  const responses = await queryDav(options, { ...request, method: 'REPORT', depth: '1', body })
  return responses.flatMap(({ href, status, props }) => {
    // An empty result is one response without content; an event deleted meanwhile is not found.
    if (href === undefined || status === 404) return []
    const found = Found.safeParse(props)
    if (!found.success) throw unreadableAnswer(PROVIDER, found.error)
    return readEvents(found.data.calendarData, href)
  })
}

const stamp = (atMs: number): string =>
  `${new Date(atMs).toISOString().slice(0, 19).replace(/[-:]/g, '')}Z`
