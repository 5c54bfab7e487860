import { toEnvelope } from '@surehand/core'
import { describe, expect, test } from 'vitest'
import { decide } from '../../testing/decide.ts'
import { ANN, BOB, openTravelWorld, type TravelWorld } from '../../testing/travel-world.ts'

const STAY = { listingId: 'stay_1', checkin: '2027-05-10', checkout: '2027-05-12', guests: 2 }

function book(world: TravelWorld, idempotencyKey = 'book', input: object = STAY) {
  return world.call('bookAccommodation', input, { idempotencyKey })
}

async function answerOf(world: TravelWorld, callId: string) {
  const outcome = await world.runtime.answer(ANN, callId)
  if (outcome === undefined) throw new Error('The call left no answer.')
  return toEnvelope(outcome)
}

describe('booking a stay', () => {
  test('asks with the quote of this moment and what has changed since the search', async () => {
    const world = openTravelWorld()
    await world.data('searchAccommodations', { ...STAY, location: 'Lisbon' })
    world.hotel.prices.set('stay_1', 95)
    const asked = await book(world)
    expect(asked).toMatchObject({
      status: 'failed',
      error: { code: 'TOOL_APPROVAL_REQUIRED' },
      metadata: {
        pending: {
          asks: 'Book House 1 from 2027-05-10 to 2027-05-12 for 2 guests, 190.00 EUR in all (refundable under its terms)?',
        },
      },
    })
    const id = asked.metadata.pending?.approval_id ?? ''
    const { shown } = await world.runtime.approvals.get('home', id)
    expect(JSON.parse(shown)).toMatchObject({
      facts: {
        stay: 'House 1',
        nights: 2,
        guests: 2,
        total: { amount: '190.00', currency: 'EUR' },
        cancellation: ['Free cancellation until two days before arrival.'],
        since_search: 'Your search of 2026-01-15 showed 180.00 EUR.',
      },
    })
    expect(world.hotel.bookings.size).toBe(0)
  })

  test('books once after the approval, and the same key is the same booking', async () => {
    const world = openTravelWorld()
    const asked = await book(world)
    await decide(world, asked, 'approve')
    const done = await answerOf(world, asked.metadata.call_id)
    expect(done).toMatchObject({
      status: 'success',
      data: {
        status: 'confirmed',
        reference: expect.stringMatching(/^bk_[0-9a-f]{24}$/),
        bookedBy: 'ann',
        sessionId: 'session-of-ann',
      },
    })
    expect((await book(world)).data).toEqual(done.data)
    expect(world.hotel.bookings.size).toBe(1)
  })

  test('a price that changes before the approval is asked about again, and nothing is booked', async () => {
    const world = openTravelWorld()
    const asked = await book(world)
    world.hotel.prices.set('stay_1', 100)
    await decide(world, asked, 'approve')
    const again = await answerOf(world, asked.metadata.call_id)
    expect(again.metadata.pending).toMatchObject({
      changed: [{ path: 'total.amount', before: '180.00', after: '200.00' }],
    })
    expect(world.hotel.bookings.size).toBe(0)
    await decide(world, again, 'approve')
    expect(await answerOf(world, asked.metadata.call_id)).toMatchObject({
      data: { total: { amount: '200.00' } },
    })
  })

  test('a price that changes at the booking itself is price_changed, and the key asks anew', async () => {
    const world = openTravelWorld()
    const asked = await book(world)
    world.hotel.beforeBook = () => world.hotel.prices.set('stay_1', 101)
    await decide(world, asked, 'approve')
    const refused = await answerOf(world, asked.metadata.call_id)
    expect(refused.error).toMatchObject({ details: { source_code: 'price_changed' } })
    expect(world.hotel.bookings.size).toBe(0)
    world.hotel.beforeBook = () => undefined
    const anew = await book(world)
    expect(anew.metadata.pending?.asks).toContain('202.00 EUR')
    await decide(world, anew, 'approve')
    expect([...world.hotel.bookings.values()].map(({ total }) => total.amount)).toEqual(['202.00'])
  })

  test('a denial reaches the caller as a denial', async () => {
    const world = openTravelWorld()
    const asked = await book(world)
    await decide(world, asked, 'deny')
    expect((await book(world)).error?.code).toBe('TOOL_APPROVAL_DENIED')
    expect((await book(world, 'another key')).error?.code).toBe('TOOL_APPROVAL_DENIED')
    expect(world.hotel.bookings.size).toBe(0)
  })

  test('a booking whose answer was lost is looked up, not made again', async () => {
    const world = openTravelWorld()
    const asked = await book(world)
    world.hotel.fault = 'reset after commit'
    await decide(world, asked, 'approve')
    const done = await answerOf(world, asked.metadata.call_id)
    expect(done).toMatchObject({ status: 'success', data: { status: 'confirmed' } })
    expect(world.hotel.bookings.size).toBe(1)
  })

  test('an order that was lost on its way is sent again once it cannot arrive any more', async () => {
    const world = openTravelWorld()
    const asked = await book(world)
    world.hotel.fault = 'lost before commit'
    world.runtime.start()
    await decide(world, asked, 'approve')
    await world.clock.advance(10_000)
    world.hotel.fault = 'none'
    await world.clock.advance(300_000)
    expect(await answerOf(world, asked.metadata.call_id)).toMatchObject({ status: 'success' })
    expect(world.hotel.bookings.size).toBe(1)
    await world.close()
  })

  test('a stay that is gone is refused before anyone is asked', async () => {
    const world = openTravelWorld()
    expect((await book(world, 'k', { ...STAY, listingId: 'gone' })).error).toMatchObject({
      code: 'TOOL_RESOURCE_NOT_FOUND',
      details: { source_code: 'listing_unavailable' },
    })
  })

  test('a caller without a session books with a derived one', async () => {
    const world = openTravelWorld()
    const { session: _, ...stateless } = ANN
    const asked = await world.call('bookAccommodation', STAY, { caller: stateless })
    await decide(world, asked, 'approve', stateless)
    const { data } = await answerOf(world, asked.metadata.call_id)
    expect(data).toMatchObject({ sessionId: expect.stringMatching(/^derived-[0-9a-f]{24}$/) })
  })
})

test('deleting all data leaves bookings that are contracts, and says so', async () => {
  const world = openTravelWorld()
  await decide(world, await book(world), 'approve')
  await world.data('addConversationMemory', { content: 'Likes tiles.' })
  await world.data('addConversationMemory', { content: 'Likes trains.' }, BOB)
  const asked = await world.call('deleteAllData', {})
  expect(asked.metadata.pending?.asks).toBe(
    'Delete all of your travel data (0 plans, 1 memory, 0 shared links)? It cannot be restored. One booking stays with its provider.',
  )
  await decide(world, asked, 'approve')
  expect((await answerOf(world, asked.metadata.call_id)).data).toEqual({
    deleted: { plans: 0, memories: 1, shares: 0 },
    keptBookings: [...world.hotel.bookings.keys()],
  })
  expect(await world.stores.calls.query('select owner from travel_memories')).toEqual([
    { owner: 'bob' },
  ])
})

describe('bookings', () => {
  test('are listed and cancelled by their owner alone, after an approval that names the refund', async () => {
    const world = openTravelWorld()
    const asked = await book(world)
    await decide(world, asked, 'approve')
    const { bookings } = await world.data<{ bookings: { reference: string }[] }>('listBookings', {})
    const reference = bookings[0]?.reference ?? ''
    expect(await world.data('listBookings', {}, BOB)).toEqual({ bookings: [] })
    expect((await world.call('cancelBooking', { reference }, { caller: BOB })).error).toMatchObject(
      { details: { source_code: 'booking_not_found' } },
    )
    const cancelling = await world.call('cancelBooking', { reference })
    expect(cancelling.metadata.pending?.asks).toBe(
      'Cancel House 1 (2027-05-10 to 2027-05-12, 180.00 EUR)? 180.00 EUR is refunded.',
    )
    await decide(world, cancelling, 'approve')
    expect(await world.data('listBookings', { status: 'cancelled' })).toMatchObject({
      bookings: [{ reference, status: 'cancelled' }],
    })
  })
})
