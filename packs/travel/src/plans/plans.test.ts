import { fakeClock } from '@surehand/conformance'
import { type Caller, createRuntime, memoryStores, toEnvelope } from '@surehand/core'
import { describe, expect, test } from 'vitest'
import { planTools } from '../pack.ts'
import { combineResults, priceOf } from './combine.ts'
import { storedPlans } from './providers/stored-plans.ts'

const ANN: Caller = {
  tenant: 'home',
  principal: 'ann',
  actor: 'user',
  roles: ['user'],
  capabilities: ['travel.plan'],
}
const LISBON = {
  title: 'Lisbon',
  destinations: ['Lisbon'],
  startDate: '2027-05-10',
  endDate: '2027-05-17',
}

function open() {
  const clock = fakeClock()
  const stores = memoryStores({ clock })
  const runtime = createRuntime({
    tools: planTools,
    stores,
    clock,
    providers: { travelPlans: storedPlans(stores.values, clock.now) },
  })
  let number = 0
  const call = async (tool: string, input: object, caller = ANN, idempotencyKey?: string) =>
    toEnvelope(
      await runtime.call({
        tool: `travel.${tool}`,
        input,
        caller,
        surface: 'test',
        idempotencyKey: idempotencyKey ?? `k${number++}`,
      }),
    )
  const create = async (fields: object = {}) =>
    (await call('createTravelPlan', { ...LISBON, ...fields })).data as { planId: string }
  return { runtime, clock, call, create }
}

describe('a travel plan', () => {
  test('is a draft with its defaults, belongs to the caller, and is created once per key', async () => {
    const { call } = open()
    const first = await call('createTravelPlan', LISBON, ANN, 'k')
    expect(first.data).toMatchObject({
      userId: 'ann',
      status: 'draft',
      travelers: 1,
      budget: null,
      components: { flights: [], notes: [] },
    })
    expect((await call('createTravelPlan', LISBON, ANN, 'k')).data).toEqual(first.data)
  })

  test.each([
    ['no destination', { destinations: [] }],
    ['51 travelers', { travelers: 51 }],
    ['0 travelers', { travelers: 0 }],
    ['a day that does not exist', { startDate: '2027-02-30' }],
    ['an end before its start', { endDate: '2027-05-09' }],
    ['a currency that does not exist', { budget: { amount: 1, currency: 'ZZZ' } }],
  ])('with %s is refused', async (_, fields) => {
    const { call } = open()
    expect(await call('createTravelPlan', { ...LISBON, ...fields })).toMatchObject({
      status: 'failed',
    })
  })

  test('is changed only by its owner, and only in fields that it has', async () => {
    const { call, create } = open()
    const { planId } = await create()
    const bob = { ...ANN, principal: 'bob' }
    expect((await call('updateTravelPlan', { planId, travelers: 2 }, bob)).error).toMatchObject({
      code: 'TOOL_RESOURCE_NOT_FOUND',
      details: { source_code: 'plan_not_found' },
    })
    expect(await call('updateTravelPlan', { planId, userId: 'bob' })).toMatchObject({
      status: 'failed',
    })
    expect((await call('updateTravelPlan', { planId })).error).toMatchObject({
      details: { source_code: 'invalid_updates' },
    })
    expect((await call('updateTravelPlan', { planId, travelers: 2 })).data).toMatchObject({
      travelers: 2,
      title: 'Lisbon',
    })
  })

  test('loses no change where many are made at once', async () => {
    const { call, create } = open()
    const { planId } = await create()
    const kinds = ['flights', 'accommodations', 'activities', 'transportation']
    await Promise.all(
      kinds.map((kind) =>
        call('updateTravelPlan', { planId, components: { [kind]: [{ id: kind }] } }),
      ),
    )
    const { data } = await call('saveTravelPlan', { planId })
    expect(data).toMatchObject({
      components: Object.fromEntries(kinds.map((kind) => [kind, [{ id: kind }]])),
    })
  })

  test('as a draft lives seven days after its last change', async () => {
    const { call, create, clock } = open()
    const { planId } = await create()
    await clock.advance(6 * 86_400_000)
    await call('updateTravelPlan', { planId, travelers: 2 })
    await clock.advance(6 * 86_400_000)
    expect((await call('updateTravelPlan', { planId, travelers: 3 })).status).toBe('success')
    await clock.advance(7 * 86_400_000)
    expect((await call('updateTravelPlan', { planId, travelers: 4 })).error).toMatchObject({
      code: 'TOOL_RESOURCE_NOT_FOUND',
    })
  })

  test('twenty are created in a day, and the twenty-first is refused with its own code', async () => {
    const { call, create } = open()
    for (let index = 0; index < 20; index++) await create()
    expect((await call('createTravelPlan', LISBON)).error).toMatchObject({
      code: 'TOOL_RATE_LIMIT_EXCEEDED',
      details: { source_code: 'rate_limited_plan_create' },
    })
  })

  test('is deleted after an approval that shows what is deleted, and does not come back', async () => {
    const { call, create, runtime } = open()
    const { planId } = await create()
    const asked = await runtime.call({
      tool: 'travel.deleteTravelPlan',
      input: { planId },
      caller: ANN,
      surface: 'test',
      idempotencyKey: 'delete',
    })
    if (asked.status !== 'pending') throw new Error(`The deletion is ${asked.status}.`)
    expect(asked.approval.asks).toBe(
      'Delete the travel plan "Lisbon" (2027-05-10 to 2027-05-17)? It cannot be restored.',
    )
    await runtime.approvals.decide(ANN, asked.approval.id, {
      verdict: 'approve',
      digest: asked.approval.digest,
    })
    const answer = await runtime.answer(ANN, asked.facts.callId)
    expect(answer).toMatchObject({ status: 'done', data: { planId, deleted: true } })
    expect((await call('saveTravelPlan', { planId })).error).toMatchObject({
      details: { source_code: 'plan_not_found' },
    })
  })
})

describe('combining results', () => {
  const plan = { startDate: '2027-05-10', endDate: '2027-05-14', budget: null }

  test('takes the cheapest flights, the best stays by price and rating, and the best activities', () => {
    const { components, cost } = combineResults(
      {
        flights: [300, 100, 200, 400].map((price) => ({
          total_amount: `${price}.00`,
          currency: 'EUR',
        })),
        accommodations: [
          { id: 'cheap', price: 50, currency: 'EUR', rating: 3 },
          { id: 'dear', price: 200, currency: 'EUR', rating: 5 },
          { id: 'good', price: 60, currency: 'EUR', rating: 5 },
          { id: 'unknown' },
        ],
        activities: [1, 5, 3, 2, 4, 0].map((rating) => ({ rating, price: 10, currency: 'EUR' })),
      },
      plan,
    )
    expect(components.flights.map(({ total_amount }) => total_amount)).toEqual([
      '100.00',
      '200.00',
      '300.00',
    ])
    expect(components.accommodations.map(({ id }) => id)).toEqual(['good', 'cheap', 'dear'])
    expect(components.activities.map(({ rating }) => rating)).toEqual([5, 4, 3, 2, 1])
    expect(cost).toEqual({
      totals: [{ currency: 'EUR', amount: 100 + 60 * 4 + 30 }],
      nights: 4,
      withoutPrice: [],
    })
  })

  test('never adds amounts in different currencies, and names what has no price', () => {
    const { cost } = combineResults(
      {
        flights: [{ total_amount: '100.00', total_currency: 'USD' }],
        accommodations: [{ price: { amount: 80, currency: 'EUR' } }],
        activities: [{ rating: 4 }],
      },
      undefined,
    )
    expect(cost).toEqual({
      totals: [
        { currency: 'USD', amount: 100 },
        { currency: 'EUR', amount: 240 },
      ],
      nights: 3,
      withoutPrice: ['activity 1'],
    })
  })

  test('a price without a currency is not known, and is not taken for dollars', () => {
    const { cost } = combineResults(
      {
        flights: [{ total_amount: '100.00' }],
        accommodations: [{ price: 80 }],
        activities: [{ price: { amount: 5 } }],
      },
      plan,
    )
    expect(cost).toMatchObject({ totals: [], withoutPrice: ['flight', 'stay', 'activity 1'] })
  })

  test('compares prices in one currency only: that of the budget, or the most common one', () => {
    const flights = [
      { id: 'yen', total_amount: '100.00', total_currency: 'JPY' },
      { id: 'dear', total_amount: '300.00', total_currency: 'EUR' },
      { id: 'cheap', total_amount: '200.00', total_currency: 'EUR' },
    ]
    const first = (budget: { amount: number; currency: string } | null) =>
      combineResults({ flights }, { ...plan, budget }).components.flights[0]?.id
    expect(first(null)).toBe('cheap')
    expect(first({ amount: 1, currency: 'JPY' })).toBe('yen')
  })

  test.each([
    [{ price: '1,000' }, undefined],
    [{ price: -1 }, undefined],
    [{ price: Number.NaN }, undefined],
    [
      { price: '120.50', currency: 'EUR' },
      { amount: 120.5, currency: 'EUR' },
    ],
    [{ price: { amount: 7, currency: 'CHF' } }, { amount: 7, currency: 'CHF' }],
  ])('reads the price of %j as %j', (item, price) => {
    expect(priceOf(item as never)).toEqual(price)
  })
})
