import { setTimeout as pause } from 'node:timers/promises'
import { fakeClock } from '@surehand/conformance'
import { memoryStores } from '@surehand/core'
import { type Emulator, type FaultForm, startEmulator } from '@surehand/testing'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { routes } from '../emulators/google-calendar.ts'
import { calendarSuite } from '../fixtures/calendar-suite.ts'
import { calendarWorld } from '../fixtures/calendar-world.ts'
import { withToken } from './choose-calendar.ts'
import { googleCalendar } from './google-calendar.ts'

type More = { readonly token?: string; readonly fetchFor?: () => typeof fetch }
const google = (
  { url }: Pick<Emulator, 'url'>,
  { token = 'a-token', fetchFor = () => fetch }: More = {},
) => googleCalendar({ baseUrl: `${url}/calendar/v3`, fetchFor: () => withToken(fetchFor(), token) })

calendarSuite('Google Calendar', async () => {
  const emulator = await startEmulator({ routes: routes })
  const headers = { authorization: 'Bearer a-token' }
  return {
    calendar: google(emulator),
    remove: async (id) =>
      void (await fetch(`${emulator.url}/calendar/v3/calendars/primary/events/${id}`, {
        method: 'DELETE',
        headers,
      })),
    close: emulator.stop,
  }
})

describe('when Google fails', () => {
  let emulator: Emulator
  beforeEach(async () => {
    emulator = await startEmulator({ routes: routes })
  })
  afterEach(() => emulator.stop())

  const EVENT = {
    summary: 'Tea',
    start: { dateTime: '2027-01-11T15:00:00', timeZone: 'Europe/Berlin' },
  }
  const DAY = ['2027-01-11T00:00:00Z', '2027-01-12T00:00:00Z'] as const

  test.each<[string, FaultForm]>([
    ['limits the rate', { kind: '429', retryAfterSeconds: 0 }],
    ['fails before the insert', { kind: '500', when: 'before' }],
    ['fails after the insert', { kind: '500', when: 'after' }],
    ['closes the connection before the insert', { kind: 'reset', when: 'before' }],
    ['closes the connection after the insert', { kind: 'reset', when: 'after' }],
    ['sends half of an answer', { kind: 'malformed' }],
    ['is slow', { kind: 'slow', delayMs: 100, when: 'after' }],
  ])('one event is made when it %s', async (_, fault) => {
    emulator.fail(fault, { target: { method: 'POST' } })
    const answer = await calendarWorld(google(emulator)).write(EVENT, { key: 'tea' })
    expect(answer).toMatchObject({
      status: 'success',
      data: { id: expect.stringMatching(/^[a-v0-9]{52}$/) },
    })
    expect(emulator.effects()).toHaveLength(1)
  })

  test('one event is made when it never answers and the attempt times out', async () => {
    const clock = fakeClock()
    let inFlight = 0
    const counting: typeof fetch = (input, init) => {
      inFlight++
      return fetch(input, init).finally(() => inFlight--)
    }
    const world = calendarWorld(google(emulator, { fetchFor: () => counting }), {
      clock,
      stores: memoryStores({ clock }),
    })
    emulator.fail({ kind: 'hang', when: 'after' }, { target: { method: 'POST' } })
    let isDone = false
    const answer = world.write(EVENT, { key: 'tea' }).finally(() => {
      isDone = true
    })
    while (emulator.effects().length === 0) await pause(5)
    await clock.advance(10_000)
    // The clock advances only between requests, for the delay between two attempts.
    while (!isDone) {
      await pause(5)
      if (inFlight === 0) await clock.advance(100)
    }
    expect(await answer).toMatchObject({ status: 'success' })
    expect(emulator.effects()).toHaveLength(1)
  })

  test('a failed call that is repeated under the same key makes one event', async () => {
    const world = calendarWorld(google(emulator))
    emulator.fail({ kind: 'reset', when: 'after' }, { times: 1, target: { method: 'POST' } })
    emulator.fail({ kind: '500' }, { times: 20 })
    expect((await world.write(EVENT, { key: 'tea' })).status).toBe('error')
    const control = `${emulator.url}/__control`
    await fetch(control, { method: 'DELETE' })
    const answer = await world.write(EVENT, { key: 'tea' })
    expect(answer).toMatchObject({ status: 'success', metadata: { source: 'replayed' } })
    expect(emulator.effects()).toHaveLength(1)
  })

  test('a read is marked degraded, with a warning', async () => {
    emulator.fail({ kind: '500' }, { times: 10 })
    const answer = await calendarWorld(google(emulator)).read(...DAY)
    expect(answer).toMatchObject({
      status: 'success',
      data: { events: [] },
      metadata: { degraded: true },
    })
    expect(answer.metadata.warnings).not.toEqual([])
  })

  test('an expired token is reported as an invalid key, and nothing is written', async () => {
    const answer = await calendarWorld(google(emulator, { token: 'expired' })).write(EVENT)
    expect(answer).toMatchObject({
      status: 'error',
      data: null,
      error: { code: 'TOOL_API_KEY_INVALID' },
    })
    expect(JSON.stringify(answer)).not.toContain('Bearer')
    expect(emulator.effects()).toEqual([])
  })

  test.each([400, 403, 404, 410])(
    'a read that is refused with %i is marked degraded',
    async (status) => {
      const fetchFor = () => async () => Response.json({}, { status })
      const answer = await calendarWorld(google(emulator, { fetchFor })).read(...DAY)
      expect(answer).toMatchObject({
        status: 'success',
        data: { events: [] },
        metadata: { degraded: true },
      })
    },
  )

  test('a missing calendar is reported as not found', async () => {
    const answer = await calendarWorld(google(emulator)).write(EVENT, {
      calendarId: 'unknown@example.com',
    })
    expect(answer).toMatchObject({ status: 'failed', error: { code: 'TOOL_RESOURCE_NOT_FOUND' } })
  })

  test('an event that was deleted between two attempts under one key is not made again', async () => {
    const calendar = google(emulator)
    const time = { kind: 'zoned', local: '2027-01-11T15:00:00', timeZone: 'UTC' } as const
    const entry = { summary: 'Tea', start: time, end: time }
    const writing = {
      tenant: 'acme',
      principal: 'ann',
      calendarId: 'primary',
      entry,
      idempotencyKey: 'tea',
    }
    const signal = AbortSignal.timeout(60_000)
    const { id } = await calendar.write(writing, signal)
    const headers = { authorization: 'Bearer a-token' }
    await fetch(`${emulator.url}/calendar/v3/calendars/primary/events/${id}`, {
      method: 'DELETE',
      headers,
    })
    expect(await calendar.write(writing, signal)).toMatchObject({ id })
    expect(emulator.effects()).toHaveLength(2)
  })

  test('all pages are read', async () => {
    // Its clock stands still: 300 events take a busy machine longer than the tool's timeout.
    const clock = fakeClock()
    const world = calendarWorld(google(emulator), { clock, stores: memoryStores({ clock }) })
    await world.write({ ...EVENT, recurrence: ['RRULE:FREQ=DAILY;COUNT=300'] })
    const { data } = await world.read('2027-01-01T00:00:00Z', '2027-12-31T00:00:00Z')
    expect((data as { events: unknown[] }).events).toHaveLength(300)
  })

  test('the token is sent only to Google', async () => {
    const path = '/calendar/v3/calendars/primary/events'
    const elsewhere = await startEmulator({
      routes: [
        { method: 'GET', path, handle: () => ({ body: { items: [] }, effect: 'requested' }) },
      ],
    })
    const redirecting = await startEmulator({
      routes: [
        {
          method: 'GET',
          path,
          handle: ({ query }) => ({
            status: 307,
            headers: { location: `${elsewhere.url}${path}?${query}` },
          }),
        },
      ],
    })
    const answer = await calendarWorld(google(redirecting)).read(...DAY)
    expect([answer.metadata.degraded, elsewhere.effects()]).toEqual([true, []])
    await Promise.all([elsewhere.stop(), redirecting.stop()])
  })
})
