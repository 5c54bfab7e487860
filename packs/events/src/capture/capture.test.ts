import { fakeClock, settle } from '@surehand/conformance'
import { memoryStores } from '@surehand/core'
import { readReviewForm } from '@surehand/core/host'
import { localPlaces, localTimeZones } from '@surehand/places'
import { beforeEach, describe, expect, test } from 'vitest'
import type { CalendarEntry } from '../calendar/calendar-port.ts'
import { ANN } from '../fixtures/local-world.ts'
import { answer, BERLIN, capture, captureWorld, shown } from './fixtures/capture-world.ts'

const TEXT = { text: 'Dinner with Anna in the Waldschänke on Friday 27 November 2026 at 8pm' }
let world = captureWorld(0)
beforeEach(() => {
  world = captureWorld(Date.parse('2026-11-18T09:00:00Z'))
})

const at = (day: string, from: string, to: string, summary = 'Dentist'): CalendarEntry => ({
  id: `${summary} ${from}`,
  summary,
  start: { kind: 'zoned', local: `${day}T${from}:00`, timeZone: BERLIN },
  end: { kind: 'zoned', local: `${day}T${to}:00`, timeZone: BERLIN },
})
const starts = () => world.written.map(({ entry }) => [entry.summary, entry.start])

describe('a message', () => {
  test('is read, shown to the person, and written once they approve', async () => {
    const runtime = world.open(world.stores)
    const asking = await capture(runtime, TEXT)
    expect(shown(asking).draft).toMatchObject({
      decision: 'save',
      event: {
        title: 'Dinner with Anna',
        startTime: '2026-11-27T20:00:00+01:00',
        endTime: '2026-11-27T21:00:00+01:00',
        location: { name: 'Waldschänke' },
        timezone: BERLIN,
      },
    })
    expect(shown(asking).asks).toContain('Nothing else is in the calendar at that time.')
    expect(world.written).toEqual([])
    expect(await answer(runtime, asking)).toMatchObject({
      status: 'done',
      data: {
        status: 'saved',
        calendarEventId: 'e1',
        htmlLink: 'https://calendar.example.com/e1',
        conflictsChecked: true,
        event: { title: 'Dinner with Anna' },
      },
    })
    expect(world.written[0]).toMatchObject({
      principal: 'ann',
      calendarId: 'primary',
      entry: {
        summary: 'Dinner with Anna',
        location: 'Waldschänke',
        start: { kind: 'zoned', local: '2026-11-27T20:00:00', timeZone: BERLIN },
      },
    })
  })

  test('as a picture is shown with it, and with a summary of what people decide by', async () => {
    world.flyer.text = TEXT.text
    const outcome = await capture(world.open(world.stores), { imageBytes: 'AAAA' })
    expect(shown(outcome).draft.event).toMatchObject({
      sourceMetadata: { imageUrl: 'https://server.example/artifacts/home/1.jpg' },
    })
    const { schema } = (outcome as { readonly question: { readonly schema: string } }).question
    expect(readReviewForm(JSON.parse(schema))).toMatchObject({
      choice: 'decision',
      picture: 'event.sourceMetadata.imageUrl',
      map: 'event.location.coordinates',
    })
  })

  test('that is sent again with the same key is the same capture, before and after the answer', async () => {
    const runtime = world.open(world.stores)
    await answer(runtime, await capture(runtime, TEXT))
    expect(await capture(runtime, TEXT)).toMatchObject({ status: 'done', source: 'replayed' })
    expect(world.written).toHaveLength(1)
  })

  test('whose event is discarded is not written', async () => {
    const runtime = world.open(world.stores)
    expect(await answer(runtime, await capture(runtime, TEXT), {}, 'discard')).toMatchObject({
      status: 'done',
      data: { status: 'discarded' },
    })
    expect(world.written).toEqual([])
  })

  test('cannot be approved by the agent that sent it', async () => {
    const runtime = world.open(world.stores)
    const agent = { ...ANN, actor: 'ai_agent' as const, delegated: ['*'] }
    const { id, digest, draft } = shown(await capture(runtime, TEXT, agent))
    await expect(
      runtime.questions.answer(agent, id, { answer: draft, digest }),
    ).rejects.toMatchObject({
      code: 'TOOL_INSUFFICIENT_PERMISSIONS',
    })
    expect(world.written).toEqual([])
  })

  test('with a date but no time stays an all-day event', async () => {
    const runtime = world.open(world.stores)
    await answer(runtime, await capture(runtime, { text: 'Street fair on 5 December 2026' }))
    expect(world.written[0]?.entry).toMatchObject({
      start: { kind: 'date', date: '2026-12-05' },
      end: { kind: 'date', date: '2026-12-06' },
    })
  })

  test('about two days is asked as two days', async () => {
    const asking = await capture(world.open(world.stores), {
      text: 'Street fair on 5-6 December 2026',
    })
    expect(shown(asking).asks).toContain('2026-12-05 to 2026-12-06 (2 whole days)')
  })

  test('with a repeating event is written with its recurrence rule', async () => {
    const runtime = world.open(world.stores)
    await answer(
      runtime,
      await capture(runtime, { text: 'Choir every Tuesday at 7pm starting 1 December 2026' }),
    )
    expect(world.written[0]?.entry).toMatchObject({
      recurrence: { rules: ['FREQ=WEEKLY;BYDAY=TU'] },
      start: { local: '2026-12-01T19:00:00' },
    })
  })
})

describe('its place', () => {
  test('that is known gives the address, the coordinates and the time zone of its times', async () => {
    const runtime = world.open(world.stores)
    const asking = await capture(runtime, {
      text: 'Picnic at Golden Gate Park on 28 November 2026 at 2pm',
      origin: { lat: 37.7, lng: -122.4 },
    })
    expect(shown(asking).draft.event).toMatchObject({
      startTime: '2026-11-28T14:00:00-08:00',
      timezone: 'America/Los_Angeles',
      location: {
        name: 'Golden Gate Park',
        placeId: 'gg',
        address: 'San Francisco, CA',
        coordinates: { lat: 37.77, lng: -122.48 },
      },
      travelBufferMinutes: 26,
    })
  })

  test('abroad decides the zone: dinner at Ginza Kyubey, Tokyo, is at seven in Tokyo', async () => {
    const local = { places: localPlaces(), timeZones: localTimeZones() }
    const asking = await capture(
      world.open(world.stores, { providers: { ...world.providers, ...local } }),
      { text: 'Dinner at Ginza Kyubey, Tokyo on 28 November 2026 at 7pm' },
    )
    expect(shown(asking).draft.event).toMatchObject({
      startTime: '2026-11-28T19:00:00+09:00',
      timezone: 'Asia/Tokyo',
      location: { name: 'Ginza Kyubey', address: 'Tokyo' },
    })
  })

  test('that is unknown stays as it was written', async () => {
    const asking = await capture(world.open(world.stores), TEXT)
    expect(shown(asking).draft.event).toMatchObject({
      location: { name: 'Waldschänke' },
      timezone: BERLIN,
    })
    expect(shown(asking).draft.event).not.toHaveProperty('travelBufferMinutes')
  })

  test('whose time zone is unknown keeps the person’s own zone', async () => {
    world.faults.zones = 'unreachable'
    const asking = await capture(world.open(world.stores), {
      text: 'Picnic at Golden Gate Park on 28 November 2026 at 2pm',
    })
    expect(shown(asking).draft.event).toMatchObject({
      startTime: '2026-11-28T14:00:00+01:00',
      timezone: BERLIN,
    })
  })

  test('whose time zone is unknown keeps the event’s stated place', async () => {
    world.faults.zones = 'unreachable'
    const text = 'Picnic at Golden Gate Park on 28 November 2026 at 2pm'
    const asking = await capture(world.open(world.stores), { text, timezone: 'Asia/Tokyo' })
    expect(shown(asking).draft.event).toMatchObject({
      startTime: '2026-11-28T14:00:00+09:00',
      timezone: 'Asia/Tokyo',
    })
  })
})

describe('conflicts', () => {
  test('are shown and do not prevent saving', async () => {
    world.busy.push(
      at('2026-11-27', '19:30', '20:30'),
      at('2026-11-27', '18:00', '19:00', 'Gym'),
      at('2026-11-27', '21:00', '22:00', 'Call'),
    )
    const runtime = world.open(world.stores)
    const asking = await capture(runtime, TEXT)
    expect(shown(asking).draft.event).toMatchObject({
      conflicts: [{ eventId: 'Dentist 19:30', title: 'Dentist' }],
    })
    expect(shown(asking).asks).toContain('already: "Dentist"')
    expect(await answer(runtime, asking)).toMatchObject({ data: { status: 'saved' } })
  })

  test('are not made by entries that take no time', async () => {
    world.busy.push({ ...at('2026-11-27', '19:30', '20:30', 'Thanksgiving'), isTransparent: true })
    const asking = await capture(world.open(world.stores), TEXT)
    expect(shown(asking).asks).toContain('Nothing else is in the calendar at that time.')
  })

  test('of an all-day event are found during the whole day', async () => {
    world.busy.push(at('2026-12-05', '08:00', '09:00'), {
      ...at('2026-12-06', '08:00', '09:00', 'Later'),
      id: 'later',
    })
    const asking = await capture(world.open(world.stores), {
      text: 'Street fair on 5 December 2026',
    })
    expect(shown(asking).draft.event).toMatchObject({ conflicts: [{ title: 'Dentist' }] })
  })

  test('that could not be checked are not reported as none', async () => {
    world.faults.calendar = 'unreachable'
    const runtime = world.open(world.stores)
    const asking = await capture(runtime, TEXT)
    expect(shown(asking).asks).toContain('could not be read')
    expect(shown(asking).asks).not.toContain('Nothing else')
    expect(await answer(runtime, asking)).toMatchObject({
      data: { status: 'saved', conflictsChecked: false },
    })
  })
})

describe('edits', () => {
  test('are written', async () => {
    const runtime = world.open(world.stores)
    const done = await answer(runtime, await capture(runtime, TEXT), {
      title: 'Supper',
      description: 'Bring wine',
    })
    expect(done).toMatchObject({
      data: { status: 'saved', event: { title: 'Supper', description: 'Bring wine' } },
    })
    expect(world.written[0]?.entry).toMatchObject({ summary: 'Supper', description: 'Bring wine' })
  })

  test('that cause a conflict are shown again, with the conflict', async () => {
    world.busy.push(at('2026-11-28', '20:00', '21:00'))
    const runtime = world.open(world.stores)
    const again = await answer(runtime, await capture(runtime, TEXT), {
      startTime: '2026-11-28T20:00:00+01:00',
      endTime: '2026-11-28T21:00:00+01:00',
    })
    expect(shown(again).draft.event).toMatchObject({
      startTime: '2026-11-28T20:00:00+01:00',
      conflicts: [{ title: 'Dentist' }],
    })
    expect(world.written).toEqual([])
    expect(await answer(runtime, again)).toMatchObject({
      data: { status: 'saved', event: { conflicts: [{ title: 'Dentist' }] } },
    })
    expect(starts()).toEqual([
      ['Dinner with Anna', { kind: 'zoned', local: '2026-11-28T20:00:00', timeZone: BERLIN }],
    ])
  })

  test('that cause no conflict are saved without a second review', async () => {
    const runtime = world.open(world.stores)
    const done = await answer(runtime, await capture(runtime, TEXT), {
      startTime: '2026-11-28T20:00:00+01:00',
      endTime: '2026-11-28T21:00:00+01:00',
    })
    expect(done).toMatchObject({ data: { status: 'saved' } })
    expect(world.requests.reads).toBe(2)
  })

  test('of the place trigger a lookup, and its changes are shown again', async () => {
    const runtime = world.open(world.stores)
    const again = await answer(runtime, await capture(runtime, TEXT), {
      location: { name: 'Golden Gate Park' },
    })
    expect(shown(again).draft.event).toMatchObject({
      location: { name: 'Golden Gate Park', placeId: 'gg' },
      startTime: '2026-11-27T20:00:00-08:00',
      timezone: 'America/Los_Angeles',
    })
    expect(await answer(runtime, again)).toMatchObject({ data: { status: 'saved' } })
    expect(starts()).toEqual([
      [
        'Dinner with Anna',
        { kind: 'zoned', local: '2026-11-27T20:00:00', timeZone: 'America/Los_Angeles' },
      ],
    ])
  })

  test('of conflicts are ignored', async () => {
    world.busy.push(at('2026-11-27', '19:30', '20:30'))
    const runtime = world.open(world.stores)
    expect(await answer(runtime, await capture(runtime, TEXT), { conflicts: [] })).toMatchObject({
      data: { event: { conflicts: [{ title: 'Dentist' }] } },
    })
  })

  test('with an end before the start are asked for again', async () => {
    const runtime = world.open(world.stores)
    const again = await answer(runtime, await capture(runtime, TEXT), {
      endTime: '2026-11-27T19:00:00+01:00',
    })
    expect(shown(again).draft.event).toMatchObject({ endTime: '2026-11-27T21:00:00+01:00' })
    expect(world.written).toEqual([])
  })
})

describe('a crash', () => {
  test('between question and answer loses nothing and repeats no step', async () => {
    const asking = await capture(world.open(world.stores), TEXT)
    const restarted = world.open(world.stores)
    expect(await answer(restarted, asking)).toMatchObject({ data: { status: 'saved' } })
    expect([world.written.length, world.requests.reads, world.requests.places.length]).toEqual([
      1, 1, 1,
    ])
  })

  test('after the calendar wrote the event, before the response, makes no second event', async () => {
    const clock = fakeClock(Date.parse('2026-11-18T09:00:00Z'))
    const stores = memoryStores({ clock })
    // The clock of the crashed process does not advance any more.
    const dying = world.open(stores, { clock: fakeClock(clock.now()) })
    const asking = await capture(dying, TEXT)
    world.faults.write = 'no response'
    const { draft, id, digest } = shown(asking)
    void dying.questions.answer(ANN, id, { answer: draft, digest })
    await settle()
    expect(world.written).toHaveLength(1)
    world.faults.write = 'none'
    await clock.advance(120_000)
    const next = world.open(stores, { clock })
    await next.sweep()
    await clock.advance(5_000)
    await next.sweep()
    expect(await next.answer(ANN, asking.facts.callId)).toMatchObject({
      status: 'done',
      data: { status: 'saved', calendarEventId: 'e1' },
    })
    expect(world.written).toHaveLength(1)
  })
})

test('without the capability to write, nothing is read', async () => {
  const outcome = await capture(world.open(world.stores), TEXT, {
    ...ANN,
    capabilities: ['calendar.read'],
  })
  expect(outcome).toMatchObject({ status: 'failed', error: { code: 'TOOL_CAPABILITY_MISSING' } })
  expect(world.requests).toEqual({ places: [], reads: 0 })
})
