import { type Caller, createRuntime, memoryStores, toEnvelope } from '@surehand/core'
import { type Emulator, startEmulator } from '@surehand/testing'
import { afterEach, expect, test } from 'vitest'
import { storedSearchNotes } from '../providers/choose-providers.ts'
import { bookAccommodation } from './book-accommodation.ts'
import { cancelBooking } from './cancel-booking.ts'
import { routes } from './emulators/duffel.ts'
import { duffelStays } from './providers/duffel-stays.ts'

const ANN: Caller = {
  tenant: 'home',
  principal: 'ann',
  actor: 'user',
  roles: ['user'],
  capabilities: ['travel.book'],
  session: 'session-of-ann',
}
const dates = { checkin: '2099-05-10', checkout: '2099-05-12', guests: 2 }
const guest = {
  givenName: 'Ann',
  familyName: 'Example',
  email: 'ann@example.com',
  phoneNumber: '+351000000',
}

let running: Emulator | undefined
afterEach(() => running?.stop())

async function open() {
  const emulator = await startEmulator({ routes })
  running = emulator
  const place = {
    placeId: 'p',
    location: { lat: 38.72, lng: -9.14 },
    precision: 'place',
    provider: 'test',
  } as const
  const stays = duffelStays(
    { baseUrl: emulator.url, key: 'test_token', fetchFor: () => fetch },
    { geocoder: { geocode: async () => [place] }, now: Date.now },
  )
  const stores = memoryStores()
  const runtime = createRuntime({
    tools: [bookAccommodation, cancelBooking],
    stores,
    providers: { travelStays: stays, travelSearchNotes: storedSearchNotes(stores.values) },
  })
  const { signal } = new AbortController()
  const search = { tenant: 'home', userId: 'ann', location: 'Lisbon', ...dates }
  const { listings } = await stays.search(search, signal)
  const call = async (tool: string, input: object, idempotencyKey: string) =>
    toEnvelope(await runtime.call({ tool, input, caller: ANN, surface: 'test', idempotencyKey }))
  return {
    emulator,
    book: (input: object = { guest }, key = 'k1') => {
      const listingId = listings[0]?.listingId
      return call('travel.bookAccommodation', { ...dates, listingId, ...input }, key)
    },
    cancel: (reference: string) => call('travel.cancelBooking', { reference }, reference),
    async approve(id = '') {
      const { digest } = await runtime.approvals.get('home', id)
      await runtime.approvals.decide(ANN, id, { verdict: 'approve', digest })
    },
    bookings: () =>
      emulator.effects().filter(({ request }) => request === 'POST /stays/bookings').length,
  }
}

test('a stay is booked at Duffel after the approval, once, and cancelled', async () => {
  const { book, approve, cancel, bookings } = await open()
  const asked = await book()
  expect(asked.error?.code).toBe('TOOL_APPROVAL_REQUIRED')
  expect(bookings()).toBe(0)
  await approve(asked.metadata.pending?.approval_id)
  const booked = await book()
  expect(booked).toMatchObject({ status: 'success', data: { provider: 'duffel', guests: 2 } })
  expect((await book()).data).toEqual(booked.data)
  expect(bookings()).toBe(1)
  const { reference } = booked.data as { readonly reference: string }
  const pending = await cancel(reference)
  await approve(pending.metadata.pending?.approval_id)
  expect(await cancel(reference)).toMatchObject({ data: { status: 'cancelled', reference } })
})

test('a price that changes after the approval is asked about again, and nothing is booked', async () => {
  const { book, approve, bookings, emulator } = await open()
  const asked = await book()
  await fetch(`${emulator.url}/emulator/prices`, { method: 'POST', body: '{"factor":1.2}' })
  await approve(asked.metadata.pending?.approval_id)
  const again = await book()
  const changed = again.metadata.pending?.changed ?? []
  expect(changed.map(({ path }) => path)).toContain('total.amount')
  expect(bookings()).toBe(0)
})

test('an answer that is lost after the booking is looked up: one booking', async () => {
  const { book, approve, bookings, emulator } = await open()
  const asked = await book()
  emulator.fail({ kind: 'reset' }, { target: { path: '/stays/bookings', method: 'POST' } })
  await approve(asked.metadata.pending?.approval_id)
  await expect.poll(async () => (await book()).status, { timeout: 15_000 }).toBe('success')
  expect(bookings()).toBe(1)
})

test('without the data of the guest no person is asked', async () => {
  const { book, bookings } = await open()
  expect(await book({})).toMatchObject({
    error: { code: 'TOOL_MISSING_REQUIRED_FIELD', details: { source_code: 'guest_required' } },
  })
  expect(bookings()).toBe(0)
})
