import { setTimeout as pause } from 'node:timers/promises'
import { contractSuite, fakeClock, type OpenContractWorld } from '@surehand/conformance'
import { createRuntime, definePack, memoryStores, ToolError, toEnvelope } from '@surehand/core'
import { describe, expect, test } from 'vitest'
import type { CalendarPort } from './calendar-port.ts'
import { calendarRead } from './calendar-read.ts'
import { ANN, CALENDAR_TOOLS, calendarWorld } from './fixtures/calendar-world.ts'
import { ownCalendars } from './providers/own-calendars.ts'

const open: OpenContractWorld = async (tool) => {
  const clock = fakeClock()
  const stores = memoryStores({ clock })
  const keepArtifact = async () => ({ url: 'https://app.example/event.ics' })
  const own = ownCalendars({ values: stores.values, keepArtifact, now: clock.now })
  let mood: 'fine' | 'hangs' | 'fails' = 'fine'
  const meet = async (): Promise<void> => {
    if (mood === 'hangs') await new Promise<never>(() => {})
    if (mood === 'fails')
      throw new ToolError('TOOL_EXTERNAL_SERVICE_ERROR', 'The calendar is unreachable.')
  }
  const calendar: CalendarPort = {
    read: (query, signal) => meet().then(() => own.read(query, signal)),
    write: (writing, signal) => meet().then(() => own.write(writing, signal)),
  }
  const runtime = createRuntime({
    packs: [definePack({ name: 'one', tools: [tool] })],
    stores,
    providers: { calendar },
    clock,
  })
  return {
    runtime,
    clock,
    caller: ANN,
    effects: async () => (await stores.values.list(ANN.tenant, 'events/calendar/')).length,
    hang: () => {
      mood = 'hangs'
    },
    fail: () => {
      mood = 'fails'
    },
    heal: () => {
      mood = 'fine'
    },
    close: async () => void runtime.stop(),
  }
}
contractSuite(CALENDAR_TOOLS, { open })

const failing = (code: 'TOOL_NETWORK_ERROR' | 'TOOL_INVALID_FIELD_VALUE'): CalendarPort => ({
  read: () => Promise.reject(new ToolError(code, 'It went wrong.')),
  write: () => Promise.reject(new ToolError(code, 'It went wrong.')),
})
const empty: CalendarPort = {
  read: async () => [],
  write: () => Promise.reject(new Error('not here')),
}

describe('calendar.read', () => {
  test('distinguishes a calendar that could not be read from an empty one', async () => {
    const away = await calendarWorld(failing('TOOL_NETWORK_ERROR')).read(
      '2027-01-11T00:00:00Z',
      '2027-01-12T00:00:00Z',
    )
    const nothing = await calendarWorld(empty).read('2027-01-11T00:00:00Z', '2027-01-12T00:00:00Z')
    expect([away.data, nothing.data]).toEqual([{ events: [] }, { events: [] }])
    expect([away.metadata.degraded, nothing.metadata.degraded]).toEqual([true, undefined])
    expect(away.metadata.warnings?.join()).toContain('It went wrong.')
  })

  test('does not hide a mistake of the caller behind an empty answer', async () => {
    const turned = await calendarWorld(empty).read('2027-01-12T00:00:00Z', '2027-01-11T00:00:00Z')
    expect(turned).toMatchObject({ status: 'failed', error: { code: 'TOOL_INVALID_FIELD_VALUE' } })
    const tooMany = await calendarWorld(failing('TOOL_INVALID_FIELD_VALUE')).read(
      '2027-01-11T00:00:00Z',
      '2027-01-12T00:00:00Z',
    )
    expect(tooMany).toMatchObject({ status: 'failed', error: { code: 'TOOL_INVALID_FIELD_VALUE' } })
  })

  test('reads times without an offset in the time zone of the caller', async () => {
    const windows: number[] = []
    const read: CalendarPort['read'] = async ({ fromMs, toMs }) => {
      windows.push(fromMs, toMs)
      return []
    }
    const world = calendarWorld({ ...empty, read })
    await world.read('2027-01-11', '2027-01-11T18:00', {
      caller: { ...ANN, timeZone: 'America/New_York' },
    })
    await world.read('2027-01-11', '2027-01-11T18:00', {
      caller: { ...ANN, timeZone: 'Mars/Olympus' },
    })
    expect(windows.map((at) => new Date(at).toISOString().slice(0, 16))).toEqual([
      ...['2027-01-11T05:00', '2027-01-11T23:00'],
      ...['2027-01-11T00:00', '2027-01-11T18:00'],
    ])
  })

  test('requires the capability to read', async () => {
    const { runtime } = calendarWorld(empty)
    const input = {
      calendarId: 'primary',
      timeMin: '2027-01-11T00:00:00Z',
      timeMax: '2027-01-12T00:00:00Z',
      singleEvents: true,
    }
    const answer = toEnvelope(
      await runtime.call({
        tool: calendarRead,
        caller: { ...ANN, capabilities: ['calendar.write'] },
        input,
      }),
    )
    expect(answer).toMatchObject({
      status: 'failed',
      data: null,
      error: { code: 'TOOL_CAPABILITY_MISSING' },
    })
  })
})

describe('calendar.write', () => {
  test('returns the error of the calendar, without a fallback', async () => {
    const answer = await calendarWorld(failing('TOOL_NETWORK_ERROR')).write({
      summary: 'x',
      start: { dateTime: '2027-01-11', timeZone: 'UTC' },
    })
    expect(answer).toMatchObject({
      status: 'error',
      data: null,
      error: { code: 'TOOL_NETWORK_ERROR' },
    })
  })

  test.each([
    ['a date that does not exist', { dateTime: '2027-02-29', timeZone: 'UTC' }, {}],
    ['an hour that does not exist', { dateTime: '2027-02-28T24:30:00', timeZone: 'UTC' }, {}],
    ['words', { dateTime: 'tomorrow at five', timeZone: 'UTC' }, {}],
    ['a zone that is none', { dateTime: '2027-02-28', timeZone: 'Berlin' }, {}],
    ['an offset for a zone', { dateTime: '2027-02-28', timeZone: '+01:00' }, {}],
    [
      'an invalid recurrence',
      { dateTime: '2027-02-28', timeZone: 'UTC' },
      { recurrence: ['every Tuesday'] },
    ],
    [
      'a recurrence of every second',
      { dateTime: '2027-02-28', timeZone: 'UTC' },
      { recurrence: ['RRULE:FREQ=SECONDLY'] },
    ],
    [
      'a recurrence with a line break',
      { dateTime: '2027-02-28', timeZone: 'UTC' },
      { recurrence: ['RRULE:FREQ=DAILY\r\nATTACH:x'] },
    ],
    [
      'an end before its start',
      { dateTime: '2027-02-28', timeZone: 'UTC' },
      { end: { dateTime: '2027-02-27', timeZone: 'UTC' } },
    ],
  ])('refuses %s before anything is done', async (_, start, more) => {
    let calls = 0
    const write: CalendarPort['write'] = async () => {
      calls++
      return { id: 'x', htmlLink: 'x', created: 'x' }
    }
    const world = calendarWorld({ ...empty, write })
    const answer = await world.write({ summary: 'x', start, ...more })
    await pause(0)
    expect({ status: answer.status, data: answer.data, calls }).toEqual({
      status: 'failed',
      data: null,
      calls: 0,
    })
  })

  test('requests no approval for an invalid event', async () => {
    const policyOf = () => ({
      version: 1,
      approvals: [{ tools: 'calendar.write', kind: 'confirm' as const }],
    })
    const world = calendarWorld(empty, { policyOf })
    const start = { dateTime: '2027-02-28', timeZone: 'UTC' }
    expect((await world.write({ summary: 'x', start })).error?.code).toBe('TOOL_APPROVAL_REQUIRED')
    const turned = await world.write({
      summary: 'x',
      start,
      end: { dateTime: '2027-02-27', timeZone: 'UTC' },
    })
    expect(turned.error?.code).toBe('TOOL_INVALID_FIELD_VALUE')
  })
})
