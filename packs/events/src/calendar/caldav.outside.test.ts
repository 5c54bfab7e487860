import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { calendarSuite } from './fixtures/calendar-suite.ts'
import { ANN, calendarWorld } from './fixtures/calendar-world.ts'
import { killNode, startWriteOnce, writeOnce } from './fixtures/run-write-once.ts'
import { PASSWORD, type Radicale, startRadicale, USERNAME } from './fixtures/start-radicale.ts'
import { type CaldavOptions, caldav } from './providers/caldav.ts'

const account = (url: string, more: Partial<CaldavOptions> = {}): CaldavOptions => ({
  url,
  username: USERNAME,
  password: PASSWORD,
  fetchFor: () => fetch,
  now: () => Date.UTC(2026, 10, 15, 12),
  ...more,
})

calendarSuite('Radicale', async () => {
  const radicale = await startRadicale(inject('radicale'))
  return {
    calendar: caldav(account(radicale.url)),
    remove: async (id) =>
      void (await radicale.request(`/${USERNAME}/home/${id}.ics`, { method: 'DELETE' })),
    close: radicale.close,
  }
})

describe('over CalDAV', () => {
  let radicale: Radicale
  beforeAll(async () => {
    radicale = await startRadicale(inject('radicale'))
  })
  afterAll(() => radicale?.close())

  const DAY = ['2027-01-11T00:00:00Z', '2027-01-12T00:00:00Z'] as const
  const EVENT = {
    summary: 'Tea',
    start: { dateTime: '2027-01-11T15:00:00', timeZone: 'Europe/Berlin' },
  }

  test('a lost response to a write does not make a second event', async () => {
    let lost = 0
    const losing: typeof fetch = async (input, init) => {
      const response = await fetch(input, init)
      if (init?.method !== 'PUT' || lost > 0) return response
      lost++
      throw Object.assign(new TypeError('fetch failed'), {
        cause: Object.assign(new Error('reset'), { code: 'ECONNRESET' }),
      })
    }
    const world = calendarWorld(caldav(account(radicale.url, { fetchFor: () => losing })))
    expect(await world.write(EVENT, { key: 'lost' })).toMatchObject({ status: 'success' })
    expect(lost).toBe(1)
    expect((await world.read(...DAY)).data).toMatchObject({ events: [{ summary: 'Tea' }] })
  })

  test('a node that is killed after it wrote the event: the next one under the same key makes no second', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'surehand-caldav-crash-'))
    const form = { file: join(folder, 'app.db'), kind: 'caldav', url: radicale.url } as const
    const before = await eventFiles()
    const node = startWriteOnce({ ...form, stopAfter: 'PUT' })
    while (!node.output().includes('made')) await pause(20)
    await killNode(node)
    const made = await eventFiles()
    expect(made).toHaveLength(before.length + 1)
    expect(await writeOnce(form)).toMatchObject({ status: 'success' })
    expect(await eventFiles()).toEqual(made)
    rmSync(folder, { recursive: true })
  })

  /** The addresses of everything in the calendar. */
  async function eventFiles(): Promise<readonly string[]> {
    const text = await (
      await radicale.request(`/${USERNAME}/home/`, { method: 'PROPFIND', headers: { depth: '1' } })
    ).text()
    return text.match(/[0-9a-f]{64}\.ics/g)?.toSorted() ?? []
  }

  test('a calendar is found by its name or its folder, and a missing one is reported', async () => {
    const world = calendarWorld(caldav(account(radicale.url)))
    for (const calendarId of ['Home', 'home'])
      expect((await world.read(...DAY, { calendarId })).metadata.degraded).toBeUndefined()
    expect(await world.write(EVENT, { calendarId: 'Work' })).toMatchObject({
      status: 'failed',
      error: { code: 'TOOL_RESOURCE_NOT_FOUND' },
    })
  })

  test('events of other programs are read: an override, an exception, a custom zone', async () => {
    const file = [
      ...[
        'BEGIN:VCALENDAR',
        'VERSION:2.0',
        'PRODID:-//someone//else//EN',
        'BEGIN:VTIMEZONE',
        'TZID:W. Europe Standard Time',
      ],
      ...[
        'BEGIN:STANDARD',
        'DTSTART:16010101T030000',
        'TZOFFSETFROM:+0200',
        'TZOFFSETTO:+0100',
        'RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=10',
      ],
      ...[
        'END:STANDARD',
        'BEGIN:DAYLIGHT',
        'DTSTART:16010101T020000',
        'TZOFFSETFROM:+0100',
        'TZOFFSETTO:+0200',
      ],
      ...['RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=3', 'END:DAYLIGHT', 'END:VTIMEZONE'],
      ...[
        'BEGIN:VEVENT',
        'UID:theirs',
        'DTSTAMP:20260101T000000Z',
        'SUMMARY:Standup',
        'DTSTART;TZID=W. Europe Standard Time:20270503T090000',
      ],
      ...[
        'DURATION:PT15M',
        'RRULE:FREQ=DAILY;COUNT=4',
        'EXDATE;TZID=W. Europe Standard Time:20270504T090000',
        'END:VEVENT',
      ],
      ...[
        'BEGIN:VEVENT',
        'UID:theirs',
        'DTSTAMP:20260101T000000Z',
        'SUMMARY:Standup\\, late',
        'RECURRENCE-ID;TZID=W. Europe Standard Time:20270505T090000',
      ],
      ...[
        'DTSTART;TZID=W. Europe Standard Time:20270505T110000',
        'DURATION:PT15M',
        'END:VEVENT',
        'END:VCALENDAR',
        '',
      ],
    ]
    const put = await radicale.request(`/${USERNAME}/home/theirs.ics`, {
      method: 'PUT',
      body: file.join('\r\n'),
    })
    expect(put.status).toBe(201)
    const { data } = await calendarWorld(caldav(account(radicale.url))).read(
      '2027-05-01T00:00:00Z',
      '2027-06-01T00:00:00Z',
    )
    const { events } = data as {
      events: readonly { summary: string; start: { dateTime: string } }[]
    }
    expect(events.map(({ summary, start }) => [summary, start.dateTime])).toEqual([
      ['Standup', '2027-05-03T09:00:00+02:00'],
      ['Standup, late', '2027-05-05T11:00:00+02:00'],
      ['Standup', '2027-05-06T09:00:00+02:00'],
    ])
  })

  test('a wrong password is reported as an invalid key, and nothing is written', async () => {
    const world = calendarWorld(caldav(account(radicale.url, { password: 'wrong' })))
    expect(await world.write(EVENT, { key: 'shut' })).toMatchObject({
      status: 'error',
      error: { code: 'TOOL_API_KEY_INVALID' },
    })
    expect(await world.read(...DAY)).toMatchObject({
      status: 'success',
      data: { events: [] },
      metadata: { degraded: true },
    })
  })

  test('an unreachable server is reported, and never as an empty calendar', async () => {
    const away = calendarWorld(caldav(account('http://127.0.0.1:9')))
    expect(await away.read(...DAY)).toMatchObject({
      data: { events: [] },
      metadata: { degraded: true },
    })
    expect(await away.write(EVENT)).toMatchObject({
      status: 'error',
      data: null,
      error: { code: 'TOOL_NETWORK_ERROR' },
    })
  })

  test('two people who use the same key make two events', async () => {
    const world = calendarWorld(caldav(account(radicale.url)))
    const event = {
      summary: 'Both',
      start: { dateTime: '2027-06-07T15:00:00', timeZone: 'Europe/Berlin' },
    }
    await world.write(event, { key: 'k' })
    await world.write(event, { key: 'k', caller: { ...ANN, principal: 'bob' } })
    expect((await world.read('2027-06-07T00:00:00Z', '2027-06-08T00:00:00Z')).data).toMatchObject({
      events: [{}, {}],
    })
  })
})
