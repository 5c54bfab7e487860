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
    expect(now.metadata.asking?.asks).toContain('Keep this plan? Lisbon, 2027-05-10')
    expect(now.metadata.asking?.draft).toMatchObject({
      decision: 'accept',
      trip: { destination: 'Lisbon', origin: 'Berlin', travelers: 2 },
      stay: 1,
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
        booking: { status: 'booked', reference: expect.stringMatching(/^bk_/) },
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
    await answerQuestion(world, second, (draft) => ({ ...draft, stay: 2 }))
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
      booking: { status: 'not_booked' },
    })
    const without = await start()
    await answerQuestion(without.world, without.now, (draft) => ({ ...draft, stay: 0 }))
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
      destination: 'Lisbon',
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
    expect(now.metadata.asking?.asks).toContain('Stays: 1. House 3; 2. House 1')
    await world.close()
  })
})

describe('a process that dies', () => {
  /** Counts every call of a provider, and never answers from the given one on. */
  function dieAt(number: number) {
    let count = 0
    const wrap = (provider: object): object =>
      Object.fromEntries(
        Object.entries(provider).map(([method, work]) => [
          method,
          (...args: readonly unknown[]) =>
            count++ >= number
              ? new Promise(() => undefined)
              : (work as (...given: readonly unknown[]) => unknown)(...args),
        ]),
      )
    return { wrap, counted: () => count }
  }

  async function planAfterDeath(number: number) {
    const world = openTravelWorld({ now: NOW })
    const { wrap, counted } = dieAt(number)
    const dying = openTravelWorld({ now: NOW, beside: world, wrap })
    void dying.call('planTrip', { wish: WISH }, { idempotencyKey: 'trip' })
    await new Promise((resolve) => setTimeout(resolve, 30))
    world.runtime.start()
    const ask = async (afterMs: number) => {
      await world.clock.advance(afterMs)
      return world.call('planTrip', { wish: WISH }, { idempotencyKey: 'trip' })
    }
    await answerQuestion(world, await ask(180_000))
    await decide(world, await ask(30_000), 'approve')
    const done = await ask(30_000)
    const { plans } = await world.data<{ plans: unknown[] }>('listTravelPlans', {})
    await world.close()
    return {
      hasDied: counted() > number,
      status: (done.data as { status?: string } | null)?.status,
      plans: plans.length,
      bookings: world.hotel.bookings.size,
    }
  }

  test('at any call of a provider leaves one plan and one booking', async () => {
    const endings: Awaited<ReturnType<typeof planAfterDeath>>[] = []
    for (let number = 0; number < 60; number++) {
      const ending = await planAfterDeath(number)
      if (!ending.hasDied) break
      endings.push(ending)
    }
    expect(endings.length).toBeGreaterThan(12)
    for (const ending of endings)
      expect(ending).toEqual({ hasDied: true, status: 'booked', plans: 1, bookings: 1 })
  }, 60_000)
})
