import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { memoryStores } from '@surehand/core'
import type { ValueStore } from '@surehand/core/ports'
import { openSqlite } from '@surehand/sql'
import { expect, test } from 'vitest'
import { type CalendarUnderTest, calendarSuite } from '../fixtures/calendar-suite.ts'
import { ANN, calendarWorld } from '../fixtures/calendar-world.ts'
import { ownCalendars } from './own-calendars.ts'

const now = () => Date.UTC(2026, 10, 15, 12)

function openOwnCalendars(values: ValueStore, close: () => Promise<void>): CalendarUnderTest {
  const artifacts = new Map<string, Uint8Array>()
  const keepArtifact = async ({ bytes }: { readonly bytes: Uint8Array }) => {
    const url = `https://app.example/artifacts/${artifacts.size}`
    artifacts.set(url, bytes)
    return { url }
  }
  return {
    calendar: ownCalendars({ values, keepArtifact, now }),
    async remove(id) {
      for (const { key } of await values.list('acme', 'events/calendar/'))
        if (key.endsWith(id)) await values.delete('acme', key)
    },
    close,
  }
}

calendarSuite('own calendars, in memory', async () =>
  openOwnCalendars(memoryStores().values, async () => {}),
)
calendarSuite('own calendars, on SQLite', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'surehand-calendar-'))
  const stores = await openSqlite({ file: join(folder, 'data.db'), writer: 'calling-thread' })
  return openOwnCalendars(stores.values, async () => {
    await stores.close()
    rmSync(folder, { recursive: true })
  })
})

const EVENT = {
  summary: 'Secret',
  start: { dateTime: '2027-01-11T15:00:00', timeZone: 'Europe/Berlin' },
}

test.each([
  ['another person', { ...ANN, principal: 'bob' }],
  ['a person whose name begins like it', { ...ANN, principal: 'an' }],
  ['another tenant', { ...ANN, tenant: 'other' }],
])('%s does not see it', async (_, caller) => {
  const world = calendarWorld(openOwnCalendars(memoryStores().values, async () => {}).calendar)
  await world.write(EVENT)
  expect((await world.read('2027-01-11T00:00:00Z', '2027-01-12T00:00:00Z')).data).toMatchObject({
    events: [{ summary: 'Secret' }],
  })
  expect(
    (await world.read('2027-01-11T00:00:00Z', '2027-01-12T00:00:00Z', { caller })).data,
  ).toEqual({ events: [] })
})

test('a principal with a slash in its name does not reach the calendar of another', async () => {
  const world = calendarWorld(openOwnCalendars(memoryStores().values, async () => {}).calendar)
  await world.write(EVENT)
  const caller = { ...ANN, principal: 'ann/primary' }
  expect(
    (
      await world.read('2019-01-01T00:00:00Z', '2040-01-01T00:00:00Z', {
        caller,
        calendarId: '2027-01',
      })
    ).data,
  ).toEqual({ events: [] })
})

test('events in another calendar of the same person are not returned', async () => {
  const world = calendarWorld(openOwnCalendars(memoryStores().values, async () => {}).calendar)
  await world.write(EVENT, { calendarId: 'work' })
  expect((await world.read('2027-01-11T00:00:00Z', '2027-01-12T00:00:00Z')).data).toEqual({
    events: [],
  })
})

test('the link leads to an iCalendar file of the event', async () => {
  const artifacts: Uint8Array[] = []
  const keepArtifact = async ({ bytes }: { readonly bytes: Uint8Array }) => ({
    url: `https://app.example/${artifacts.push(bytes)}`,
  })
  const world = calendarWorld(ownCalendars({ values: memoryStores().values, keepArtifact, now }))
  expect((await world.write(EVENT)).data).toMatchObject({
    htmlLink: 'https://app.example/1',
    created: '2026-11-15T12:00:00.000Z',
  })
  expect(new TextDecoder().decode(artifacts[0])).toContain('SUMMARY:Secret\r\n')
})

test('an event that takes many months is found in the middle of it', async () => {
  const world = calendarWorld(openOwnCalendars(memoryStores().values, async () => {}).calendar)
  const end = { dateTime: '2027-08-01', timeZone: 'Europe/Berlin' }
  await world.write({
    summary: 'Sabbatical',
    start: { dateTime: '2027-01-01', timeZone: 'Europe/Berlin' },
    end,
  })
  expect((await world.read('2027-05-11T00:00:00Z', '2027-05-12T00:00:00Z')).data).toMatchObject({
    events: [{ summary: 'Sabbatical' }],
  })
})

test('among many events a short window returns its own, and a window of many years returns all', async () => {
  const { values } = memoryStores()
  const calendar = openOwnCalendars(values, async () => {}).calendar
  const start = Date.UTC(2020, 0, 1, 8)
  for (let index = 0; index < 500; index++) {
    const local = new Date(start + index * 6 * 86_400_000).toISOString().slice(0, 19)
    const time = { kind: 'zoned', local, timeZone: 'UTC' } as const
    const entry = { summary: `Event ${index}`, start: time, end: time }
    const writing = {
      tenant: 'acme',
      principal: 'ann',
      calendarId: 'primary',
      entry,
      idempotencyKey: `k${index}`,
    }
    await calendar.write(writing, AbortSignal.timeout(60_000))
  }
  const world = calendarWorld(calendar)
  expect((await world.read('2021-06-10T00:00:00Z', '2021-06-19T00:00:00Z')).data).toMatchObject({
    events: [{ summary: 'Event 88' }, { summary: 'Event 89' }],
  })
  const all = await world.read('2019-01-01T00:00:00Z', '2040-01-01T00:00:00Z')
  expect((all.data as { events: unknown[] }).events).toHaveLength(500)
})

test('an unreadable event is reported, not left out', async () => {
  const { values } = memoryStores()
  await values.set('acme', 'events/calendar/ann/primary/series/0_0/x', 'BEGIN:VCALENDAR')
  const answer = await calendarWorld(openOwnCalendars(values, async () => {}).calendar).read(
    '2027-01-11T00:00:00Z',
    '2027-01-12T00:00:00Z',
  )
  expect(answer).toMatchObject({ data: { events: [] }, metadata: { degraded: true } })
  expect(answer.metadata.warnings?.join()).toContain('cannot be read')
})

test.each([
  ['2026-11-01', '9999-12-31'],
  ['2026-11-01T00:00:00Z', '9999-12-31T23:59:59Z'],
  ['0000-01-01', '2028-01-01'],
])('a window from %s to %s returns its events', async (from, to) => {
  const world = calendarWorld(openOwnCalendars(memoryStores().values, async () => {}).calendar)
  await world.write(EVENT)
  const { data, metadata } = await world.read(from, to)
  expect([data, metadata.degraded]).toMatchObject([{ events: [{ summary: 'Secret' }] }, undefined])
})

test('a missing calendar is reported as degraded; an empty day of an existing one is free', async () => {
  const world = calendarWorld(openOwnCalendars(memoryStores().values, async () => {}).calendar)
  await world.write(EVENT, { calendarId: 'work' })
  const day = ['2026-11-20T00:00:00Z', '2026-11-21T00:00:00Z'] as const
  const isDegraded = async (calendarId: string) =>
    (await world.read(...day, { calendarId })).metadata.degraded
  expect([await isDegraded('Work'), await isDegraded('work'), await isDegraded('primary')]).toEqual(
    [true, undefined, undefined],
  )
})
