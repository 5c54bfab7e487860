import { readCalendar } from '@surehand/icalendar'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { decide } from '../../testing/decide.ts'
import { localPorts } from '../../testing/local-ports.ts'
import { ANN, BOB, openTravelWorld, type TravelWorld } from '../../testing/travel-world.ts'
import { drawMap, type MapPoint, mapArea } from './plan-map.ts'

const NOW = Date.parse('2026-11-16T08:00:00Z')
const TRIP = {
  title: 'Lisbon <script>alert(1)</script>',
  destinations: ['Lisbon'],
  startDate: '2027-05-10',
  endDate: '2027-05-14',
  travelers: 2,
  budget: { amount: 500, currency: 'EUR' },
}

async function openPlan(world: TravelWorld): Promise<string> {
  const { planId } = await world.data<{ planId: string }>('createTravelPlan', TRIP)
  const { offers } = await world.data<{ offers: object[] }>('searchFlights', {
    origin: 'BER',
    destination: 'LIS',
    departureDate: TRIP.startDate,
    returnDate: TRIP.endDate,
    passengers: 2,
    currency: 'EUR',
  })
  const stays = await world.data<{ listings: object[] }>('searchAccommodations', {
    location: 'Lisbon',
    checkin: TRIP.startDate,
    checkout: TRIP.endDate,
    guests: 2,
  })
  const { pois } = await localPorts.travelPois.search({
    tenant: 'home',
    userId: 'ann',
    radiusMeters: 1000,
    limit: 6,
  })
  await world.data('combineSearchResults', {
    planId,
    flights: offers,
    accommodations: stays.listings,
    activities: pois,
  })
  await world.data('updateTravelPlan', {
    planId,
    components: { notes: ['Ask for [a quiet](https://evil.example) room.'] },
  })
  return planId
}

async function bookStay(world: TravelWorld): Promise<void> {
  const asked = await world.call('bookAccommodation', {
    listingId: 'stay_3',
    checkin: TRIP.startDate,
    checkout: TRIP.endDate,
    guests: 2,
  })
  await decide(world, asked, 'approve')
}

type Document = { content: string; fileName: string; mediaType: string; bookingsKnown: boolean }

describe('a plan', () => {
  test('as Markdown has its days, its costs and what is booked', async () => {
    const world = openTravelWorld({ now: NOW })
    const planId = await openPlan(world)
    const before = await world.data<Document>('exportTravelPlan', { planId })
    expect(before.content).toContain('Nothing is booked.')
    expect(before.content).toContain('### Monday, 10 May 2027')
    expect(before.content).toContain('- 08:10 **Flight BER – LIS**: TA102, direct')
    expect(before.content).toContain('| **Total in EUR** | 430.00 EUR |')
    expect(before.content).toContain('\\[a quiet\\](https://evil.example)')
    await bookStay(world)
    const after = await world.data<Document>('exportTravelPlan', { planId })
    expect(after.content).toContain('**Check in: House 3** (booked as C1)')
    expect(after.content).toContain('- House 3, 2027-05-10 to 2027-05-14: bk_')
    expect(after).toMatchObject({
      fileName: 'lisbon-script-alert-1-script.md',
      bookingsKnown: true,
    })
  })

  test('as a calendar has flights in the zones of their airports and whole days for the stay', async () => {
    const world = openTravelWorld({ now: NOW })
    const planId = await openPlan(world)
    await bookStay(world)
    const { content } = await world.data<Document>('exportTravelPlan', {
      planId,
      format: 'icalendar',
    })
    expect(readCalendar(content)).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          summary: 'Flight BER – LIS',
          start: { kind: 'zoned', local: '2027-05-10T08:10:00', timeZone: 'Europe/Berlin' },
        }),
        expect.objectContaining({
          summary: 'House 3',
          description: 'Booked as C1.',
          start: { kind: 'date', date: '2027-05-10' },
          end: { kind: 'date', date: '2027-05-14' },
        }),
      ]),
    )
  })

  test('as a page loads nothing from outside, runs nothing, and has its maps', async () => {
    const world = openTravelWorld({ now: NOW })
    const planId = await openPlan(world)
    await bookStay(world)
    const { content } = await world.data<Document>('exportTravelPlan', { planId, format: 'html' })
    expect(content).not.toMatch(/<script|<img|<link|<iframe|@import|url\(/i)
    expect(content).toContain('&lt;script&gt;alert(1)&lt;/script&gt;')
    expect(content.match(/<svg /g)).toHaveLength(2)
    expect(content).toContain('Madrid')
    expect(content).toContain('booked as C1')
    expect(content).toContain('noindex')
  })

  test('of several towns has a stay for every night, and counts those that are not booked', async () => {
    const world = openTravelWorld({ now: NOW })
    const { planId } = await world.data<{ planId: string }>('createTravelPlan', {
      ...TRIP,
      destinations: ['Lisbon', 'Porto'],
    })
    const stay = { price: 60, currency: 'EUR', checkin: TRIP.startDate, checkout: '2027-05-12' }
    const later = { ...stay, checkin: '2027-05-12', checkout: TRIP.endDate }
    const accommodations = [
      { ...stay, name: 'House 3', listingId: 'stay_3' },
      { ...stay, name: 'Other house', listingId: 'stay_1' },
      { ...later, name: 'Porto house', price: 80 },
    ]
    await world.data('updateTravelPlan', { planId, components: { accommodations } })
    const { content } = await world.data<Document>('exportTravelPlan', { planId })
    expect(content).toContain('| House 3, 2 nights | 120.00 EUR |')
    expect(content).toContain('| Porto house, 2 nights | 160.00 EUR |')
    expect(content).toContain('| **Total in EUR** | 280.00 EUR |')
    expect(content).toMatch(/## Alternatives\n\n- Other house\n/)
  })

  test('of another person is not written out', async () => {
    const world = openTravelWorld({ now: NOW })
    const planId = await openPlan(world)
    for (const tool of ['exportTravelPlan', 'getTravelPlan', 'sharePlan'])
      expect((await world.call(tool, { planId }, { caller: BOB })).error).toMatchObject({
        details: { source_code: 'plan_not_found' },
      })
    expect(await world.data('listTravelPlans', {}, BOB)).toEqual({ plans: [], total: 0 })
  })

  test('says that bookings are unknown where they cannot be read', async () => {
    const world = openTravelWorld({ now: NOW })
    const planId = await openPlan(world)
    const fresh = openTravelWorld({
      now: NOW,
      providers: {
        travelStays: { ...world.hotel, list: () => Promise.reject(new Error('down')) },
        travelPlans: {
          get: async () => (await world.data<{ plan: object }>('getTravelPlan', { planId })).plan,
          list: async () => [],
          change: async () => ({}),
        },
      },
    })
    expect(await fresh.data<Document>('exportTravelPlan', { planId })).toMatchObject({
      bookingsKnown: false,
    })
  })
})

describe('a shared link', () => {
  async function share(world: TravelWorld, days = 14) {
    const planId = await openPlan(world)
    await bookStay(world)
    const asked = await world.call('sharePlan', { planId, days })
    await decide(world, asked, 'approve')
    const outcome = await world.runtime.answer(ANN, asked.metadata.call_id)
    if (outcome?.status !== 'done') throw new Error('The plan was not shared.')
    return outcome.data as { url: string; shareId: string; expiresAt: string }
  }
  const SYSTEM = { ...ANN, principal: 'system', actor: 'system' as const, roles: ['admin'] }
  const open = (world: TravelWorld, url: string, tenant = 'home') =>
    world.call(
      'readSharedPlan',
      { token: url.split('/').at(-1) },
      { caller: { ...SYSTEM, tenant, capabilities: ['travel.operate'] } },
    )

  test('is asked for, shows the plan without notes and references, and is stored as a hash', async () => {
    const world = openTravelWorld({ now: NOW })
    const { url } = await share(world)
    expect(url).toMatch(/^https:\/\/travel\.example\/travel\/shared\/home\/[A-Za-z0-9_-]{32}$/)
    const { content } = (await open(world, url)).data as Document
    expect(content).toContain('booked')
    expect(content).not.toContain('C1')
    expect(content).not.toContain('bk_')
    expect(content).not.toContain('Ask for')
    const rows = JSON.stringify(await world.stores.calls.query('select * from travel_shares'))
    expect(rows).not.toContain(url.split('/').at(-1))
  })

  test('ends when it is revoked, when it expires, and with its plan', async () => {
    const world = openTravelWorld({ now: NOW })
    const { url, shareId } = await share(world)
    expect((await world.call('unsharePlan', { shareId }, { caller: BOB })).error).toMatchObject({
      details: { source_code: 'share_not_found' },
    })
    expect((await open(world, url)).status).toBe('success')
    await world.data('unsharePlan', { shareId })
    expect((await open(world, url)).error?.code).toBe('TOOL_RESOURCE_NOT_FOUND')

    const short = openTravelWorld({ now: NOW })
    const shared = await share(short, 1)
    await short.clock.advance(26 * 3_600_000)
    expect((await open(short, shared.url)).error?.code).toBe('TOOL_RESOURCE_NOT_FOUND')
  })

  test('opens nothing in another tenant, and no other token opens anything', async () => {
    const world = openTravelWorld({ now: NOW })
    const { url } = await share(world)
    expect((await open(world, url, 'other')).error?.code).toBe('TOOL_RESOURCE_NOT_FOUND')
    const changed = `${url.slice(0, -1)}${url.endsWith('A') ? 'B' : 'A'}`
    for (const token of ['x', changed, '%', "' or 1=1"])
      expect((await open(world, token)).error?.code).toBe('TOOL_RESOURCE_NOT_FOUND')
  })
})

describe('a map', () => {
  const point = fc.record({
    lat: fc.double({ min: -80, max: 80, noNaN: true }),
    lon: fc.double({ min: -179, max: 179, noNaN: true }),
    label: fc.string(),
    kind: fc.constantFrom<MapPoint['kind']>('destination', 'airport', 'stay', 'activity'),
  })

  test('keeps every point inside its frame, and escapes every label', () => {
    fc.assert(
      fc.property(fc.array(point, { minLength: 1, maxLength: 8 }), (points) => {
        const svg = drawMap(points, { towns: [], isRoute: true, title: 'A map' })
        const circles = [...svg.matchAll(/<circle cx="(-?[\d.]+)" cy="(-?[\d.]+)" r="10"/g)]
        expect(circles).toHaveLength(points.length)
        for (const [, x, y] of circles) {
          expect(Number(x)).toBeGreaterThanOrEqual(0)
          expect(Number(x)).toBeLessThanOrEqual(720)
          expect(Number(y)).toBeGreaterThanOrEqual(0)
          expect(Number(y)).toBeLessThanOrEqual(440)
        }
        expect(svg).not.toContain('NaN')
        expect(svg.replaceAll(/<[^<>]*>/g, '')).not.toMatch(/[<>]/)
      }),
      { numRuns: 200 },
    )
  })

  test('of nothing is nothing', () => {
    expect(mapArea([])).toBeUndefined()
    expect(drawMap([], { towns: [], isRoute: false, title: 'Nothing' })).toBe('')
  })
})
