import {
  type Emulator,
  type EmulatorReply,
  type EmulatorRoute,
  startEmulator,
} from '@surehand/testing'
import { afterEach, describe, expect, test } from 'vitest'
import { calendarWorld } from '../fixtures/calendar-world.ts'
import { caldav } from './caldav.ts'

const DAY = ['2027-01-11T00:00:00Z', '2027-01-12T00:00:00Z'] as const
const EVENT = {
  summary: 'Tea',
  start: { dateTime: '2027-01-11T15:00:00', timeZone: 'Europe/Berlin' },
}

const xml = (inner: string): EmulatorReply => ({
  status: 207,
  headers: { 'content-type': 'application/xml' },
  body: `<?xml version="1.0"?><d:multistatus xmlns:d="DAV:" xmlns:c="urn:ietf:params:xml:ns:caldav">${inner}</d:multistatus>`,
})
const response = (href: string, properties: string): string =>
  `<d:response><d:href>${href}</d:href><d:propstat><d:prop>${properties}</d:prop><d:status>HTTP/1.1 200 OK</d:status></d:propstat></d:response>`
const principalAt = (href: string) =>
  xml(
    response('/', `<d:current-user-principal><d:href>${href}</d:href></d:current-user-principal>`),
  )
const home = xml(
  response('/ann/', '<c:calendar-home-set><d:href>/cal/</d:href></c:calendar-home-set>'),
)
const calendars = xml(
  response('/cal/', '<d:resourcetype><d:collection/></d:resourcetype>') +
    response(
      '/cal/tasks/',
      '<d:resourcetype><d:collection/><c:calendar/></d:resourcetype><c:supported-calendar-component-set><c:comp name="VTODO"/></c:supported-calendar-component-set>',
    ) +
    response(
      '/cal/2027/',
      '<d:resourcetype><d:collection/><c:calendar/></d:resourcetype><d:displayname>2027</d:displayname>',
    ),
)

const propfind = (path: string, reply: EmulatorReply): EmulatorRoute => ({
  method: 'PROPFIND',
  path,
  handle: () => reply,
})
const SERVER = [
  propfind('/', principalAt('/ann/')),
  propfind('/ann/', home),
  propfind('/cal/', calendars),
]
const report = (inner: string): EmulatorRoute => ({
  method: 'REPORT',
  path: '/cal/2027/',
  handle: () => xml(inner),
})

describe('a CalDAV server that is unusual or broken', () => {
  const open: Emulator[] = []
  afterEach(() => Promise.all(open.splice(0).map((one) => one.stop())))
  async function start(...routes: EmulatorRoute[]): Promise<Emulator> {
    const emulator = await startEmulator({ routes })
    open.push(emulator)
    return emulator
  }
  const world = ({ url }: Emulator) =>
    calendarWorld(
      caldav({
        url,
        username: 'ann',
        password: 'secret',
        fetchFor: () => fetch,
        now: () => Date.UTC(2026, 10, 15),
      }),
    )

  test('may list calendars for tasks, and calendars whose name is a number', async () => {
    const server = await start(...SERVER, report(''))
    expect(await world(server).read(...DAY, { calendarId: '2027' })).toMatchObject({
      status: 'success',
      data: { events: [] },
    })
    expect((await world(server).read(...DAY)).metadata.degraded).toBeUndefined()
  })

  const recordRequest = (method: string, path: string): EmulatorRoute => ({
    method,
    path,
    handle: () => ({ ...calendars, effect: 'requested' }),
  })

  test('cannot send the password to another server with a link', async () => {
    const other = await start(recordRequest('PROPFIND', '/ann/'))
    const server = await start(propfind('/', principalAt(`${other.url}/ann/`)))
    expect((await world(server).read(...DAY)).metadata.degraded).toBe(true)
    expect(other.effects()).toEqual([])
  })

  test('cannot send the password to another server with a redirect', async () => {
    const other = await start(recordRequest('PROPFIND', '/'))
    const server = await start(
      propfind('/', { status: 307, headers: { location: `${other.url}/` } }),
    )
    expect((await world(server).read(...DAY)).metadata.degraded).toBe(true)
    expect(other.effects()).toEqual([])
  })

  test.each([
    ['an event without its text', response('/cal/2027/x.ics', '<d:getetag>1</d:getetag>')],
    [
      'an invalid event',
      response('/cal/2027/x.ics', '<c:calendar-data>BEGIN:VCALENDAR</c:calendar-data>'),
    ],
  ])('does not count as an empty calendar when it sends %s', async (_, inner) => {
    const answer = await world(await start(...SERVER, report(inner))).read(...DAY)
    expect(answer).toMatchObject({
      status: 'success',
      data: { events: [] },
      metadata: { degraded: true },
    })
  })

  test('that truncates its answer, even between two events, gives a degraded result', async () => {
    const file = (uid: string) =>
      `BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:${uid}\nDTSTART:20270111T100000Z\nEND:VEVENT\nEND:VCALENDAR`
    const events = ['1', '2'].map((uid) =>
      response(`/cal/2027/${uid}.ics`, `<c:calendar-data>${file(uid)}</c:calendar-data>`),
    )
    const whole = xml(events.join(''))
    const text = String(whole.body)
    const answerTo = async (body: string) => {
      const server = await start(...SERVER, {
        method: 'REPORT',
        path: '/cal/2027/',
        handle: () => ({ ...whole, body }),
      })
      return world(server).read(...DAY)
    }
    expect((await answerTo(text)).data).toMatchObject({ events: [{ id: '1' }, { id: '2' }] })
    for (const end of [text.length - 1, text.indexOf(events[1] ?? ''), 100])
      expect(await answerTo(text.slice(0, end))).toMatchObject({
        data: { events: [] },
        metadata: { degraded: true },
      })
  })

  test('without the requested calendar gives a degraded result', async () => {
    const answer = await world(await start(...SERVER)).read(...DAY, { calendarId: 'unknown' })
    expect(answer).toMatchObject({
      status: 'success',
      data: { events: [] },
      metadata: { degraded: true },
    })
  })

  test.each([
    [429, 'TOOL_RATE_LIMIT_EXCEEDED'],
    [403, 'TOOL_RESOURCE_ACCESS_DENIED'],
    [507, 'TOOL_EXTERNAL_SERVICE_ERROR'],
  ])('that refuses with %i gives %s', async (status, code) => {
    const emulator = await start(...SERVER)
    const refusing: typeof fetch = (input, init) =>
      init?.method === 'PUT' ? Promise.resolve(new Response('', { status })) : fetch(input, init)
    const calendar = caldav({
      url: emulator.url,
      username: 'ann',
      password: 'secret',
      fetchFor: () => refusing,
      now: () => 0,
    })
    expect(await calendarWorld(calendar).write(EVENT)).toMatchObject({
      data: null,
      error: { code },
    })
  })
})
