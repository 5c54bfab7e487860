import type { Caller } from '@surehand/core'
import { errorRow, type PackServices, type RunningDemo } from '@surehand/core/host'
import { z } from 'zod'

/** The person whom the server creates for its demo. */
const TRAVELLER = 'ann'
const DAY_MS = 86_400_000
/** Of a call, while the database is busy: two nodes may start the demo at the same moment. */
const RETRIES = 5

const MEMORIES: readonly (readonly [category: string, content: string])[] = [
  ['user_preference', 'Prefers a window seat and never takes overnight flights.'],
  ['user_preference', 'Is vegetarian and likes small restaurants away from the main square.'],
  ['user_preference', 'Wants a quiet room on an upper floor, and a kettle.'],
  ['user_preference', 'Likes museums of design and viewpoints at sunset.'],
  ['trip_history', 'Spent a week in Porto in June 2026 and loved the tile workshops.'],
  ['trip_history', 'Found Venice in August too crowded and would rather go in winter.'],
  ['search_pattern', 'Usually compares stays between 80 and 130 euros a night.'],
  ['conversation_context', 'Travels with a partner who gets seasick on ferries.'],
]

const Plans = z.object({ total: z.int() })
const Created = z.object({ planId: z.string() })

/**
 * The demo of the pack: a traveller with memories and a half-made plan. The providers that work
 * without a vendor answer, and label what they answer.
 */
export async function startTravelDemo(): Promise<RunningDemo> {
  return {
    environment: {},
    links: [{ title: 'Travel plans of the demo traveller', url: '/travel/plans' }],
    seed: seedTraveller,
    stop: async () => undefined,
  }
}

async function seedTraveller(services: PackServices): Promise<void> {
  const caller = await services.callerOf(services.home, TRAVELLER)
  if (caller === undefined) return
  const call = createCall(services, caller)
  // The same keys on every start: memories are added once.
  for (const [index, [category, content]] of MEMORIES.entries())
    await call('travel.addConversationMemory', { content, category }, `travel-demo-memory-${index}`)
  const { total } = Plans.parse(await call('travel.listTravelPlans', {}))
  if (total === 0) await createHalfPlan(call, services.now())
}

type Call = ReturnType<typeof createCall>

function createCall(services: PackServices, caller: Caller) {
  return async function call(
    tool: string,
    input: Readonly<Record<string, unknown>>,
    idempotencyKey?: string,
    retries = RETRIES,
  ): Promise<unknown> {
    const outcome = await services.call({
      tool,
      input,
      caller,
      surface: 'demo',
      ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
    })
    if (outcome.status === 'done') return outcome.data
    // A database that did not answer in time may have written it: the key makes that one call.
    if (retries > 0 && outcome.status === 'failed' && errorRow(outcome.error.code).retryable)
      return call(tool, input, idempotencyKey, retries - 1)
    throw new Error(`The travel demo could not call ${tool}: it is ${outcome.status}.`, {
      cause: outcome.status === 'failed' ? outcome.error : undefined,
    })
  }
}

/** A plan with a stay and no flight yet, so that there is something left to do. */
async function createHalfPlan(call: Call, nowMs: number): Promise<void> {
  const day = (offset: number): string =>
    new Date(nowMs + offset * DAY_MS).toISOString().slice(0, 10)
  const [startDate, endDate] = [day(45), day(50)]
  const { planId } = Created.parse(
    await call(
      'travel.createTravelPlan',
      {
        title: 'Five days in Lisbon',
        destinations: ['Lisbon'],
        startDate,
        endDate,
        travelers: 2,
        budget: { amount: 1400, currency: 'EUR' },
        preferences: { interests: ['museums', 'viewpoints'] },
      },
      `travel-demo-plan-${startDate}`,
    ),
  )
  const found = z.object({ listings: z.array(z.record(z.string(), z.json())) }).parse(
    await call('travel.searchAccommodations', {
      location: 'Lisbon',
      checkin: startDate,
      checkout: endDate,
      guests: 2,
      currency: 'EUR',
    }),
  )
  await call(
    'travel.combineSearchResults',
    { planId, accommodations: found.listings },
    `travel-demo-stays-${startDate}`,
  )
  await call(
    'travel.updateTravelPlan',
    {
      planId,
      components: {
        activities: [
          { name: 'National Tile Museum', lat: 38.7249, lon: -9.1136, rating: 4.6 },
          { name: 'Miradouro da Senhora do Monte', lat: 38.7191, lon: -9.1328, rating: 4.7 },
          { name: 'LX Factory', lat: 38.7035, lon: -9.1785, rating: 4.4 },
        ],
        notes: ['Flights are still missing.', 'Ask for a quiet room.'],
      },
    },
    `travel-demo-activities-${startDate}`,
  )
}
