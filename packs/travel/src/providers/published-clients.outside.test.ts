import { createRequire } from 'node:module'
import { join } from 'node:path'
import { type Emulator, type EmulatorRoute, startEmulator } from '@surehand/testing'
import { afterEach, describe, expect, test } from 'vitest'
import { routes as postgrest } from '../memories/emulators/postgrest.ts'
import { postgrestMemories } from '../memories/providers/postgrest-memories.ts'
import { routes as duffel } from '../stays/emulators/duffel.ts'
import { duffelStays } from '../stays/providers/duffel-stays.ts'

// The vendors' own clients judge our emulators, and meet what our providers have written there.
// They are installed apart: their types are not there when this file is checked.

type Answer<T> = Promise<{ readonly data: T }>
type Id = { readonly id: string }
type Rate = Id & { readonly total_amount: string }
type Booking = Id & { readonly status: string }
type Offer = {
  readonly slices: readonly {
    readonly segments: readonly { readonly origin: { readonly iata_code: string } }[]
  }[]
}
type DuffelClient = {
  readonly offerRequests: { create: (input: object) => Answer<{ readonly offers: Offer[] }> }
  readonly suggestions: { list: (input: object) => Answer<{ readonly iata_code: string }[]> }
  readonly stays: {
    search: (
      input: object,
    ) => Answer<{ readonly results: (Id & { readonly cheapest_rate_total_amount: string })[] }>
    readonly searchResults: {
      fetchAllRates: (
        id: string,
      ) => Answer<{ readonly accommodation: { readonly rooms: { readonly rates: Rate[] }[] } }>
    }
    readonly quotes: { create: (rate: string) => Answer<Rate>; get: (id: string) => Answer<Rate> }
    readonly bookings: {
      create: (input: object) => Answer<Booking>
      get: (id: string) => Answer<Booking>
      cancel: (id: string) => Answer<Booking>
      list: () => Answer<Booking[]>
      listWithGenerator: () => AsyncIterable<{ readonly data: Booking }>
    }
  }
}
type Query = PromiseLike<{
  readonly status: number
  readonly data: unknown
  readonly error: unknown
}> & {
  select: (columns?: string) => Query
  insert: (row: object) => Query
  upsert: (row: object, options: object) => Query
  delete: () => Query
  eq: (column: string, value: string) => Query
  order: (column: string, options: object) => Query
  limit: (count: number) => Query
}

const requireClient = createRequire(
  join(import.meta.dirname, '../../../../scripts/clients/package.json'),
)
// Duffel's client replaces the environment by a copy, which Node itself does not read.
const { env } = process
const { Duffel, DuffelError } = requireClient('@duffel/api') as {
  readonly Duffel: new (options: object) => DuffelClient
  readonly DuffelError: new () => Error
}
process.env = env
const { PostgrestClient } = requireClient('@supabase/postgrest-js') as {
  readonly PostgrestClient: new (url: string, options: object) => { from: (table: string) => Query }
}

const { signal } = new AbortController()
const ANN = { tenant: 'home', userId: 'ann' }
let running: Emulator | undefined
afterEach(() => running?.stop())

async function start(routes: readonly EmulatorRoute[]): Promise<Emulator> {
  running = await startEmulator({ routes })
  return running
}

describe('@duffel/api', () => {
  const open = async () => {
    const { url } = await start(duffel)
    const access = { baseUrl: url, key: 'test_token', fetchFor: () => fetch }
    const place = {
      placeId: 'p',
      location: { lat: 38.72, lng: -9.14 },
      precision: 'place',
      provider: 'test',
    } as const
    const geocoder = { geocode: async () => [place] }
    return {
      client: new Duffel({ token: 'test_token', basePath: url }),
      withoutToken: new Duffel({ token: '', basePath: url }),
      stays: duffelStays(access, { geocoder, now: () => Date.parse('2099-01-01') }),
    }
  }
  const dates = { check_in_date: '2099-05-10', check_out_date: '2099-05-17', rooms: 1 }
  const guests = [{ type: 'adult' as const }, { type: 'adult' as const }]

  test('searches flights', async () => {
    const { client } = await open()
    const slice = {
      origin: 'BER',
      destination: 'LIS',
      departure_date: '2099-05-10',
      arrival_time: null,
      departure_time: null,
    }
    const { data } = await client.offerRequests.create({
      slices: [slice],
      passengers: [{ type: 'adult' }],
      cabin_class: 'economy',
      return_offers: true,
    })
    expect(data.offers).toHaveLength(3)
    expect(data.offers[0]).toMatchObject({
      total_amount: '90.00',
      total_currency: 'GBP',
      owner: { name: 'Duffel Airways', iata_code: 'ZZ' },
    })
    expect(data.offers[0]?.slices[0]?.segments[0]?.origin.iata_code).toBe('BER')
    const suggested = await client.suggestions.list({ query: 'Lisbon' })
    expect(suggested.data.map(({ iata_code }) => iata_code)).toEqual(['LIS'])
  })

  test('searches, quotes, books, lists and cancels a stay', async () => {
    const { client, stays } = await open()
    const location = {
      radius: 5,
      geographic_coordinates: { latitude: 38.72, longitude: -9.14 },
    }
    const { data: found } = await client.stays.search({ ...dates, guests, location })
    const [result] = found.results
    const { data: rates } = await client.stays.searchResults.fetchAllRates(result?.id ?? '')
    const rate = rates.accommodation.rooms[0]?.rates[0]
    expect(rate?.total_amount).toBe(result?.cheapest_rate_total_amount)
    const { data: quote } = await client.stays.quotes.create(rate?.id ?? '')
    const { data: same } = await client.stays.quotes.get(quote.id)
    expect([same.id, same.total_amount]).toEqual([quote.id, rate?.total_amount])
    const payload = {
      quote_id: quote.id,
      guests: [{ given_name: 'Ann', family_name: 'Example' }],
      email: 'ann@example.com',
      phone_number: '+351000000',
      metadata: { note: 'by the published client' },
    }
    const { data: booking } = await client.stays.bookings.create(payload)
    expect(booking).toMatchObject({ status: 'confirmed', metadata: payload.metadata })
    await expect(client.stays.bookings.create(payload)).rejects.toBeInstanceOf(DuffelError)
    expect((await client.stays.bookings.get(booking.id)).data.id).toBe(booking.id)
    const { data: cancelled } = await client.stays.bookings.cancel(booking.id)
    expect(cancelled.status).toBe('cancelled')
    // A booking that was made elsewhere has no owner among our users.
    expect(await stays.list(ANN, signal)).toEqual([])
  })

  test('reads the booking that our provider made', async () => {
    const { client, stays } = await open()
    const stay = { checkin: '2099-05-10', checkout: '2099-05-17', guests: 2 }
    const { listings } = await stays.search({ ...ANN, ...stay, location: 'Lisbon' }, signal)
    const listingId = listings[0]?.listingId ?? ''
    const { total } = await stays.quote({ ...ANN, ...stay, listingId }, signal)
    const guest = {
      givenName: 'Ann',
      familyName: 'Example',
      email: 'ann@example.com',
      phoneNumber: '+351000000',
    }
    const order = { ...ANN, ...stay, listingId, reference: 'bk_1', sessionId: 's', total, guest }
    const booked = await stays.book({ ...order, idempotencyKey: 'k' }, signal)
    const seen = []
    for await (const { data } of client.stays.bookings.listWithGenerator()) seen.push(data)
    expect(seen).toHaveLength(1)
    expect(seen[0]).toMatchObject({
      id: booked.bookingId,
      check_in_date: '2099-05-10',
      guests: [{ given_name: 'Ann', family_name: 'Example' }],
      metadata: { surehand_reference: 'bk_1' },
    })
    await client.stays.bookings.cancel(booked.bookingId)
    expect(await stays.get({ ...ANN, reference: 'bk_1' }, signal)).toMatchObject({
      status: 'cancelled',
    })
  })

  test('understands the errors', async () => {
    const { client, withoutToken } = await open()
    const failed = client.stays.quotes.create('rat_unknown')
    await expect(failed).rejects.toMatchObject({
      meta: { status: 422 },
      errors: [{ code: 'rate_unavailable', type: 'validation_error' }],
    })
    await expect(withoutToken.stays.bookings.list()).rejects.toMatchObject({
      meta: { status: 401 },
    })
  })
})

describe('@supabase/postgrest-js', () => {
  const open = async () => {
    const { url } = await start(postgrest)
    const headers = { apikey: 'k', authorization: 'Bearer k' }
    return {
      table: () => new PostgrestClient(`${url}/rest/v1`, { headers }).from('travel_memories'),
      memories: postgrestMemories({ baseUrl: url, key: 'k', fetchFor: () => fetch }),
    }
  }
  const row = {
    tenant: 'home',
    user_id: 'ann',
    id: 'm1',
    content: 'Prefers window seats.',
    category: 'user_preference',
    session_id: 's',
    embedding_model: null,
    embedding: null,
    created_at: '2026-11-16T10:00:00.000Z',
  }

  test('and our provider read and write the same rows', async () => {
    const { table, memories } = await open()
    const inserted = await table().insert(row).select('id,content')
    expect(inserted).toMatchObject({
      status: 201,
      data: [{ id: 'm1', content: 'Prefers window seats.' }],
    })
    expect(await memories.list({ ...ANN, limit: 5 }, signal)).toMatchObject([{ id: 'm1' }])
    await memories.add(
      {
        ...ANN,
        id: 'm2',
        content: 'Likes "quiet" hotels, near water (always).',
        category: 'user_preference',
        createdAt: '2026-11-16T11:00:00.000Z',
        sessionId: 's',
        embedding: { model: 'm', vector: [1, 0] },
        idempotencyKey: 'k2',
      },
      signal,
    )
    const listed = await table()
      .select('id,content,embedding_model')
      .eq('tenant', 'home')
      .eq('user_id', 'ann')
      .order('created_at', { ascending: false })
      .limit(10)
    expect(listed.error).toBeNull()
    expect(listed.data).toEqual([
      { id: 'm2', content: 'Likes "quiet" hotels, near water (always).', embedding_model: 'm' },
      { id: 'm1', content: 'Prefers window seats.', embedding_model: null },
    ])
    expect(await memories.forget({ ...ANN, id: 'm1', idempotencyKey: 'f' }, signal)).toEqual({
      forgotten: true,
    })
    const upserted = await table()
      .upsert(row, { onConflict: 'tenant,user_id,id', ignoreDuplicates: true })
      .select()
    expect(upserted.data).toHaveLength(1)
    const deleted = await table().delete().eq('tenant', 'home').eq('user_id', 'ann').select('id')
    expect(deleted.data).toHaveLength(2)
  })

  test('understands the errors', async () => {
    const { table } = await open()
    await table().insert(row)
    expect(await table().insert(row)).toMatchObject({ status: 409, error: { code: '23505' } })
    expect(await table().select().eq('colour', 'red')).toMatchObject({
      status: 400,
      error: { code: '42703' },
    })
  })
})
