import { beforeEach, describe, expect, test } from 'vitest'
import { answer, BERLIN, capture, captureWorld, shown } from './fixtures/capture-world.ts'

const TEXT = { text: 'Dinner with Anna at Casa Lucio on Friday 27 November 2026 at 8pm' }
let world = captureWorld(0)
beforeEach(() => {
  world = captureWorld(Date.parse('2026-11-18T09:00:00Z'))
})

const page = (startDate: string) =>
  `<script type="application/ld+json">${JSON.stringify({ '@type': 'Event', name: 'Gig', startDate, location: { '@type': 'Place', name: 'Golden Gate' } })}</script>`

describe('a time whose source names a zone stays the same instant at its place', () => {
  test.each([
    '2026-11-28T03:00:00Z',
    '2026-11-28T04:00:00+01:00',
    '2026-11-28T08:30:00+05:30',
    '2026-11-28T16:00:00+13:00',
    '2026-11-27T19:00:00-08:00',
  ])('a page says %s', async (startDate) => {
    world.pages.set('https://events.example.com/gig', page(startDate))
    const { event } = shown(
      await capture(world.open(world.stores), { url: 'https://events.example.com/gig' }),
    ).draft
    expect(event).toMatchObject({
      startTime: '2026-11-27T19:00:00-08:00',
      timezone: 'America/Los_Angeles',
    })
  })

  test('a message that says CET, the zone of its reader', async () => {
    const text = 'Picnic at Golden Gate Park on 27 November 2026 at 8pm CET'
    const { event } = shown(await capture(world.open(world.stores), { text })).draft
    expect(event).toMatchObject({
      startTime: '2026-11-27T11:00:00-08:00',
      timezone: 'America/Los_Angeles',
    })
  })

  test('a page without a zone means local times of the place', async () => {
    world.pages.set('https://events.example.com/gig', page('2026-11-27T19:00:00'))
    const { event } = shown(
      await capture(world.open(world.stores), { url: 'https://events.example.com/gig' }),
    ).draft
    expect(event).toMatchObject({ startTime: '2026-11-27T19:00:00-08:00' })
  })
})

describe('a failure to find optional details does not fail the capture', () => {
  test('no places', async () => {
    world.faults.places = 'unreachable'
    const { asks, draft } = shown(await capture(world.open(world.stores), TEXT))
    expect(asks).toContain('Its place could not be looked up.')
    expect(draft.event).toMatchObject({ location: { name: 'Casa Lucio' }, timezone: BERLIN })
  })

  test('no directions', async () => {
    world.faults.directions = 'unreachable'
    const { asks, draft } = shown(
      await capture(world.open(world.stores), { ...TEXT, origin: { lat: 40, lng: -3 } }),
    )
    expect(asks).toContain('The travel time is unknown.')
    expect(draft.event).not.toHaveProperty('travelBufferMinutes')
  })
})

describe('an event that the calendar would refuse is refused during the review', () => {
  test.each([
    ['an all-day event with an end time', { startTime: '2026-11-27' }],
    ['an invalid recurrence rule', { recurrence: ['every Tuesday'] }],
    ['an offset for a zone', { timezone: '+05:30' }],
  ])('%s', async (_what, edits) => {
    const runtime = world.open(world.stores)
    const again = await answer(runtime, await capture(runtime, TEXT), edits)
    expect([shown(again).draft.event.timezone, world.written]).toEqual(['Europe/Madrid', []])
    expect(await answer(runtime, again)).toMatchObject({
      status: 'done',
      data: { status: 'saved' },
    })
  })

  test('UTC+5:30 becomes a zone that calendars accept', async () => {
    const runtime = world.open(world.stores)
    await answer(
      runtime,
      await capture(runtime, { text: 'Webinar on 27 November 2026 at 7pm UTC+5:30' }),
    )
    expect(world.written[0]?.entry.start).toEqual({
      kind: 'zoned',
      local: '2026-11-27T19:00:00',
      timeZone: 'Asia/Kolkata',
    })
  })
})

test('a time that was edited with another offset is shown as it will be written', async () => {
  const runtime = world.open(world.stores)
  const edits = {
    startTime: '2026-11-28T20:00:00+01:00',
    endTime: '2026-11-28T21:00:00+01:00',
    timezone: 'America/New_York',
  }
  const second = await answer(runtime, await capture(runtime, TEXT), edits)
  expect(shown(second).asks).toContain('2026-11-28 14:00 to 2026-11-28 15:00 (America/New_York)')
  await answer(runtime, second)
  expect(world.written[0]?.entry.start).toEqual({
    kind: 'zoned',
    local: '2026-11-28T14:00:00',
    timeZone: 'America/New_York',
  })
})

test('for a series the question says that conflicts were checked for the first occurrence only', async () => {
  const { asks } = shown(
    await capture(world.open(world.stores), { text: 'Yoga every Tuesday at 7pm' }),
  )
  expect(asks).toContain('Conflicts were checked for its first occurrence only.')
})
