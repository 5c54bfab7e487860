import { type Envelope, toEnvelope } from '@surehand/core'
import { describe, expect, test } from 'vitest'
import { answerQuestion, decide } from '../../testing/decide.ts'
import { unreachable } from '../../testing/local-ports.ts'
import {
  ANN,
  openTravelWorld,
  type TravelWorld,
  type WorldOptions,
} from '../../testing/travel-world.ts'
import { aiSdkTripModel } from './providers/ai-sdk-trip-model.ts'
import { MAX_VENDOR_CALLS } from './trip-searches.ts'

const WISH = 'A week in Lisbon in May for two, under 2000 EUR, from Berlin'
const NOW = Date.parse('2026-11-16T08:00:00Z')
// Stores of our own, which are not vendors.
const OWN = ['travelPlans', 'travelMemories', 'travelSearchNotes', 'travelEmbeddings']

async function start(options: WorldOptions = {}, wish = WISH) {
  const calls: string[] = []
  const world = openTravelWorld({
    now: NOW,
    ...options,
    wrap: (provider, name) =>
      Object.fromEntries(
        Object.entries(provider).map(([method, work]) => [
          method,
          (...args: readonly unknown[]) => {
            if (!OWN.includes(name)) calls.push(`${name}.${method}`)
            return (work as (...given: readonly unknown[]) => unknown)(...args)
          },
        ]),
      ),
  })
  const now = await driveUntilOpen(world, () =>
    world.call('planTrip', { wish }, { idempotencyKey: 'trip' }),
  )
  return { world, calls, now, callId: now.metadata.call_id }
}

// Steps that are tried again wait on the clock, which has to go on.
async function driveUntilOpen(world: TravelWorld, work: () => Promise<Envelope>) {
  const working = work()
  await world.clock.advance(10_000)
  return working
}

async function look(world: TravelWorld, callId: string): Promise<Envelope> {
  world.runtime.start()
  await world.clock.advance(30_000)
  const outcome = await world.runtime.answer(ANN, callId)
  if (outcome === undefined) throw new Error('The call left no answer.')
  return toEnvelope(outcome)
}

describe('planning a trip', () => {
  test('goes from a wish over a review to a quoted stay, and books after the approval', async () => {
    const { world, now, calls, callId } = await start()
    expect(now.metadata.asking?.asks.split('\n').slice(0, 5)).toEqual([
      'Keep this plan? Lisbon: 2027-05-10 to 2027-05-17, 7 nights, 2 travellers.',
      'Flights: from 190.00 EUR.',
      'Stays in Lisbon (2027-05-10 to 2027-05-17): 1. House 3, 60.00 EUR a night; 2. House 1, 90.00 EUR a night; 3. House 2, 120.00 EUR a night.',
      'Activities: Sight 0, Sight 1, Sight 2, Sight 3, Sight 4.',
      'Estimated cost: 610.00 EUR.',
    ])
    expect(now.metadata.asking?.draft).toMatchObject({
      decision: 'accept',
      trip: { destinations: ['Lisbon'], origin: 'Berlin', travelers: 2 },
      stays: [1],
    })
    await answerQuestion(world, now)
    const waiting = await look(world, callId)
    expect(waiting.metadata.pending?.asks).toBe(
      'Book House 3 from 2027-05-10 to 2027-05-17 for 2 guests, 420.00 EUR in all (refundable under its terms)?',
    )
    expect(world.hotel.bookings.size).toBe(0)
    await decide(world, waiting, 'approve')
    expect(await look(world, callId)).toMatchObject({
      status: 'success',
      data: {
        status: 'booked',
        plan: { status: 'finalized', components: { flights: { length: 3 } } },
        bookings: [{ town: 'Lisbon', status: 'booked', reference: expect.stringMatching(/^bk_/) }],
      },
    })
    expect(calls.length).toBeLessThanOrEqual(30)
    expect(world.hotel.bookings.size).toBe(1)
    await world.close()
  })

  test('searches again for what the person edits, in at most 30 calls of vendors', async () => {
    const { world, now, calls, callId } = await start()
    await answerQuestion(world, now, (draft) => ({
      ...draft,
      trip: { ...(draft.trip ?? {}), endDate: '2027-05-12' },
    }))
    const second = await look(world, callId)
    expect(second.metadata.asking?.asks).toContain('2027-05-10 to 2027-05-12, 2 nights')
    await answerQuestion(world, second, (draft) => ({ ...draft, stays: [2] }))
    const waiting = await look(world, callId)
    expect(waiting.metadata.pending?.asks).toContain('House 1 from 2027-05-10 to 2027-05-12')
    await decide(world, waiting, 'approve')
    const done = await look(world, callId)
    expect(done.data).toMatchObject({ status: 'booked', plan: { endDate: '2027-05-12' } })
    expect(calls.length).toBeLessThanOrEqual(30)
    await world.close()
  })

  test('keeps the plan and books nothing where the booking is denied or not wanted', async () => {
    const denied = await start()
    await answerQuestion(denied.world, denied.now)
    const waiting = await look(denied.world, denied.callId)
    await decide(denied.world, waiting, 'deny')
    expect((await look(denied.world, denied.callId)).data).toMatchObject({
      status: 'planned',
      bookings: [{ status: 'not_booked' }],
    })
    const without = await start()
    await answerQuestion(without.world, without.now, (draft) => ({ ...draft, stays: [0] }))
    expect((await look(without.world, without.callId)).data).toMatchObject({ status: 'planned' })
    expect(denied.world.hotel.bookings.size + without.world.hotel.bookings.size).toBe(0)
    await Promise.all([denied.world.close(), without.world.close()])
  })

  test('that is discarded leaves a draft, which expires by itself', async () => {
    const { world, now, callId } = await start()
    await answerQuestion(world, now, (draft) => ({ ...draft, decision: 'discard' }))
    expect((await look(world, callId)).data).toMatchObject({
      status: 'discarded',
      plan: { status: 'draft' },
    })
    await world.close()
  })

  test('asks for what the wish does not say', async () => {
    const { world, now, callId } = await start({}, 'somewhere warm for two')
    expect(now.metadata.asking?.asks).toContain('does not say where to and when')
    await answerQuestion(world, now, () => ({
      destinations: ['Lisbon'],
      origin: null,
      startDate: '2027-05-10',
      endDate: '2027-05-12',
      travelers: 2,
    }))
    expect((await look(world, callId)).metadata.asking?.asks).toContain('No flight was found.')
    await world.close()
  })

  test('uses what is remembered: the cabin and the interests of the traveller', async () => {
    const rows = [
      'Always flies business class, whatever the airline.',
      'Loves museums and a hotel near them.',
      'Never goes to beaches for food or activities.',
    ].map(
      (content, index) =>
        `insert into travel_memories (tenant, owner, id, content, category, session_id, created_at)
         values ('home', 'ann', 'mem_${index}', '${content}', 'user_preference', 's', ${index})`,
    )
    const seen: { cabin?: string; query?: string }[] = []
    const { now } = await start({
      rows,
      providers: {
        travelFlights: {
          airportNear: async ({ town }: { town: string }) => ({
            iataCode: town === 'Berlin' ? 'BER' : 'LIS',
            name: town,
          }),
          search: async ({ cabin }: { cabin: string }) => {
            seen.push({ cabin })
            return { offers: [], provider: 'test', estimated: true }
          },
        },
        travelPois: {
          search: async ({ query }: { query: string }) => {
            seen.push({ query })
            return { pois: [], provider: 'stub' }
          },
        },
      },
    })
    expect(seen).toContainEqual({ cabin: 'business' })
    expect(seen).toContainEqual({ query: 'museums' })
    expect(seen.some(({ query }) => query === 'beaches')).toBe(false)
    expect(now.metadata.asking).toBeDefined()
  })

  test('without flights, weather and web there is still a plan that says what is missing', async () => {
    const { world, now } = await start({
      providers: {
        travelFlights: { airportNear: unreachable, search: unreachable },
        travelWeather: { current: unreachable },
        travelClimate: { estimate: unreachable },
        travelWebSearch: { search: unreachable },
      },
    })
    expect(now.metadata.asking?.asks).toContain('A search failed: The service is not there.')
    expect(now.metadata.asking?.asks).toContain('1. House 3, 60.00 EUR a night; 2. House 1')
    await world.close()
  })
})

describe('a tour', () => {
  const TOUR = 'Lisbon and Porto from 10 to 15 May 2027 for two, from Berlin'

  test('divides the nights, and each stay is approved and booked for itself', async () => {
    const { world, now, calls, callId } = await start({}, TOUR)
    expect(now.metadata.asking?.draft).toMatchObject({
      trip: { destinations: ['Lisbon', 'Porto'] },
      stays: [1, 1],
    })
    expect(now.metadata.asking?.asks).toContain('Stays in Porto (2027-05-13 to 2027-05-15): 1.')
    await answerQuestion(world, now)
    const lisbon = await look(world, callId)
    expect(lisbon.metadata.pending?.asks).toContain('from 2027-05-10 to 2027-05-13')
    await decide(world, lisbon, 'approve')
    const porto = await look(world, callId)
    expect(porto.metadata.pending?.asks).toContain('from 2027-05-13 to 2027-05-15')
    await decide(world, porto, 'deny')
    const done = await look(world, callId)
    expect(done.data).toMatchObject({
      status: 'partly_booked',
      bookings: [
        { town: 'Lisbon', status: 'booked' },
        { town: 'Porto', status: 'not_booked' },
      ],
      plan: {
        components: {
          activities: [{ date: '2027-05-11' }, { date: '2027-05-14' }, {}, {}, {}],
          transportation: [{ from: 'Lisbon', to: 'Porto', date: '2027-05-13' }],
          flights: {
            0: { slices: [{ origin: { iata_code: 'BER' } }, { origin: { iata_code: 'OPO' } }] },
          },
        },
      },
    })
    expect(calls.length).toBeLessThanOrEqual(MAX_VENDOR_CALLS)
    expect(world.hotel.bookings.size).toBe(1)
    await world.close()
  })

  test('with fewer nights than towns leaves the last ones out, and says so', async () => {
    const { world, now } = await start({}, 'Lisbon, Porto and Berlin from 10 to 12 May 2027')
    expect(now.metadata.asking?.draft).toMatchObject({
      trip: { destinations: ['Lisbon', 'Porto'], endDate: '2027-05-12' },
    })
    expect(now.metadata.asking?.asks).toContain('only Lisbon, Porto is planned')
    await world.close()
  })

  test('of four towns that is edited again stays within the calls that a trip may use', async () => {
    const four = 'Lisbon, Porto, Berlin and Rome from 10 to 20 May 2027 for two, from Madrid'
    const { world, now, calls, callId } = await start({}, four)
    const edit = (endDate: string) => (draft: Record<string, never>) => ({
      ...draft,
      trip: { ...(draft.trip ?? {}), endDate },
    })
    await answerQuestion(world, now, edit('2027-05-21'))
    const second = await look(world, callId)
    await answerQuestion(world, second, edit('2027-05-22'))
    const third = await look(world, callId)
    expect(third.metadata.asking?.asks).toContain('one trip may use 30 calls of vendors')
    expect(calls.length).toBeLessThanOrEqual(MAX_VENDOR_CALLS)
    await world.close()
  })
})

describe('the limits of a plan', () => {
  test('services that fail are asked once each, and what was found is not searched again', async () => {
    const { world, now, calls, callId } = await start({
      providers: { travelFlights: { airportNear: unreachable, search: unreachable } },
    })
    expect(count(calls, 'travelFlights.airportNear')).toBe(1)
    await answerQuestion(world, now, (draft) => ({
      ...draft,
      trip: { ...(draft.trip ?? {}), interests: ['markets'] },
    }))
    await look(world, callId)
    expect(count(calls, 'travelStays.search')).toBe(1)
    expect(count(calls, 'travelPois.search')).toBe(2)
    expect(count(calls, 'travelFlights.airportNear')).toBe(2)
    await world.close()
  })

  test('services that never answer leave a plan that says so, within a minute', async () => {
    const silent = () => new Promise<never>(() => undefined)
    const world = openTravelWorld({
      now: NOW,
      wrap: (provider, name) =>
        OWN.includes(name) || name === 'travelStays'
          ? provider
          : Object.fromEntries(Object.keys(provider).map((method) => [method, silent])),
    })
    let endedAt = Number.POSITIVE_INFINITY
    const planning = world.call('planTrip', { wish: WISH }, { idempotencyKey: 'trip' })
    void planning.then(() => {
      endedAt = world.clock.now()
    })
    for (let second = 0; second < 60; second++) await world.clock.advance(1_000)
    expect(endedAt).toBeLessThanOrEqual(NOW + 60_000)
    expect((await planning).metadata.asking?.asks).toContain('1. House 3')
    await world.close()
  })
})

test('with a model the wish may be in any language', async () => {
  const { now, world } = await start(
    { providers: { travelModel: scriptedModel() } },
    'Ein Wochenende im Juni in Porto, zu zweit, ab Berlin, gern Museen',
  )
  expect(now.metadata.asking?.asks).toContain('Keep this plan? Porto: 2027-06-04 to 2027-06-06')
  expect(now.metadata.asking?.draft).toMatchObject({ trip: { interests: ['museums'] } })
  await world.close()
})

/** The AI SDK over a service that answers as OpenAI's does. */
function scriptedModel() {
  const wish = {
    destinations: ['Porto'],
    origin: 'Berlin',
    startDate: '2027-06-04',
    endDate: '2027-06-06',
    nights: 2,
    travelers: 2,
    budget: null,
    interests: ['museums'],
    assumptions: [],
  }
  const answer = {
    id: 'c1',
    object: 'chat.completion',
    created: 1,
    model: 'test',
    choices: [
      {
        index: 0,
        finish_reason: 'stop',
        message: { role: 'assistant', content: JSON.stringify(wish) },
      },
    ],
    usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
  }
  return aiSdkTripModel({
    baseUrl: 'https://model.example/v1',
    key: 'key',
    model: 'test',
    fetchFor: () => async () => Response.json(answer),
  })
}

function count(calls: readonly string[], name: string): number {
  return calls.filter((call) => call === name).length
}
