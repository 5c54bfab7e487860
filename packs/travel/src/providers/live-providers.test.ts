import { memoryStores } from '@surehand/core'
import { systemClock } from '@surehand/core/ports'
import { localPlaces } from '@surehand/places'
import { type Emulator, type EmulatorRoute, type FaultForm, startEmulator } from '@surehand/testing'
import type { VendorAccess } from '@surehand/vendors'
import { afterEach, describe, expect, test } from 'vitest'
import { duffelFlights } from '../flights/providers/duffel-flights.ts'
import { routes as google } from '../maps/emulators/google-maps.ts'
import { DistanceMatrix } from '../maps/maps-ports.ts'
import { googleDistances, googleGeocoder, googlePois } from '../maps/providers/google-maps.ts'
import { localGeocoder } from '../maps/providers/local-maps.ts'
import { routes as postgrest } from '../memories/emulators/postgrest.ts'
import type { NewMemory } from '../memories/memories-port.ts'
import { postgrestMemories } from '../memories/providers/postgrest-memories.ts'
import { routes as duffel } from '../stays/emulators/duffel.ts'
import { duffelStays } from '../stays/providers/duffel-stays.ts'
import type { StayOrder, StaysPort } from '../stays/stays-port.ts'
import { routes as weather } from '../weather/emulators/open-weather-map.ts'
import { openWeatherMap } from '../weather/providers/open-weather-map.ts'
import type { CrawlProgress } from '../web/crawl-port.ts'
import { routes as firecrawl } from '../web/emulators/firecrawl.ts'
import { firecrawlCrawl, firecrawlSearch } from '../web/providers/firecrawl.ts'

const { signal } = new AbortController()
const ANN = { tenant: 'home', userId: 'ann' }
const BEN = { tenant: 'home', userId: 'ben' }

let running: Emulator | undefined
afterEach(async () => {
  await running?.stop()
  running = undefined
})

async function start(
  routes: readonly EmulatorRoute[],
  key = 'k-1',
): Promise<{ readonly emulator: Emulator; readonly access: VendorAccess }> {
  const emulator = await startEmulator({ routes })
  running = emulator
  return { emulator, access: { baseUrl: emulator.url, key, fetchFor: () => fetch } }
}

/** A read of each vendor, with the answer that its emulator gives. */
const READS: readonly {
  readonly name: string
  readonly routes: readonly EmulatorRoute[]
  readonly read: (access: VendorAccess) => Promise<unknown>
  readonly answer: object
}[] = [
  {
    name: 'a search of Firecrawl',
    routes: firecrawl,
    read: (access) =>
      firecrawlSearch(access).search(
        { ...ANN, query: 'quiet viewpoints', limit: 3, fresh: false },
        signal,
      ),
    answer: {
      provider: 'firecrawl',
      results: [
        {
          url: 'https://lisbon.example/viewpoints',
          title: 'Viewpoints',
          snippet: 'Quiet viewpoints: Graça and Santa Catarina.',
          source: 'lisbon.example',
        },
      ],
    },
  },
  {
    name: 'the weather of OpenWeatherMap',
    routes: weather,
    read: (access) =>
      openWeatherMap(access).current({ ...ANN, city: 'Lisbon', units: 'metric' }, signal),
    answer: {
      city: 'Lisbon',
      temp: 18.25,
      description: 'few clouds',
      humidity: 68,
      provider: 'openweathermap',
    },
  },
  {
    name: 'an address of Google',
    routes: google,
    read: async (access) => ({
      places: await googleGeocoder(access).geocode({ ...ANN, address: 'Lisbon' }, signal),
    }),
    // Without the address and the name, which must not be stored.
    answer: {
      places: [
        {
          placeId: 'ChIJO_PkYRozGQ0R0DaQ5L3rAAQ',
          location: { lat: 38.7222524, lng: -9.1393366 },
          precision: 'place',
          provider: 'google',
        },
      ],
    },
  },
  {
    name: 'distances of Google Routes',
    routes: google,
    read: async (access) => {
      const query = { origins: ['Lisbon', 'Porto'], destinations: ['Porto', 'Atlantis'] }
      const answer = await googleDistances(access).matrix(
        { ...ANN, ...query, units: 'metric' },
        signal,
      )
      return DistanceMatrix.parse(answer.matrix)
    },
    answer: {
      status: 'OK',
      origin_addresses: ['Lisbon', 'Porto'],
      rows: [
        {
          elements: [
            {
              status: 'OK',
              distance: { text: '313 km', value: 313_412 },
              duration: { text: '3 hours 5 mins', value: 11_100 },
            },
            { status: 'NOT_FOUND' },
          ],
        },
        { elements: [{ status: 'OK', distance: { value: 0 } }, { status: 'NOT_FOUND' }] },
      ],
    },
  },
  {
    name: 'flights of Duffel',
    routes: duffel,
    read: (access) =>
      duffelFlights(access).search(
        {
          ...ANN,
          origin: 'BER',
          destination: 'LIS',
          departureDate: '2027-05-10',
          returnDate: '2027-05-17',
          passengers: 2,
          cabin: 'economy',
          currency: 'EUR',
        },
        signal,
      ),
    answer: { provider: 'duffel', estimated: false },
  },
]

describe.each(READS)('$name', ({ routes, read, answer }) => {
  test('is translated, both ways', async () => {
    expect(await read((await start(routes)).access)).toMatchObject(answer)
  })

  test.each<[string, FaultForm, string]>([
    ['a status 500', { kind: '500' }, 'TOOL_EXTERNAL_SERVICE_ERROR'],
    ['too many requests', { kind: '429', retryAfterSeconds: 7 }, 'TOOL_RATE_LIMIT_EXCEEDED'],
    ['a truncated answer', { kind: 'malformed' }, 'TOOL_EXTERNAL_SERVICE_ERROR'],
    ['a closed connection', { kind: 'reset' }, 'TOOL_NETWORK_ERROR'],
  ])('reports %s with a code of the table', async (_, fault, code) => {
    const { emulator, access } = await start(routes)
    emulator.fail(fault)
    await expect(read(access)).rejects.toMatchObject({ code })
  })
})

test('a city that OpenWeatherMap does not know is unknown, and an invalid key is refused', async () => {
  const { access } = await start(weather)
  const query = { ...ANN, city: 'Xyzzyville', units: 'metric' } as const
  await expect(openWeatherMap(access).current(query, signal)).rejects.toMatchObject({
    code: 'TOOL_RESOURCE_NOT_FOUND',
  })
  const refused = openWeatherMap({ ...access, key: '' }).current(query, signal)
  await expect(refused).rejects.toMatchObject({ code: 'TOOL_API_KEY_INVALID' })
})

describe('Google', () => {
  test('without a key refuses, although its status is 200', async () => {
    const { access } = await start(google, '')
    const geocode = googleGeocoder(access).geocode({ ...ANN, address: 'Lisbon' }, signal)
    await expect(geocode).rejects.toMatchObject({ code: 'TOOL_API_KEY_INVALID' })
  })

  test('points of interest are within the radius; only coordinates are stored, for 30 days', async () => {
    const { access, emulator } = await start(google)
    const { values } = memoryStores()
    const stored: unknown[][] = []
    const set: typeof values.set = (...parts) => {
      stored.push(parts)
      return values.set(...parts)
    }
    const geocoder = googleGeocoder(access)
    const pois = googlePois(access, { geocoder, values: { get: values.get, set } })
    const query = { ...ANN, destination: ' LISBON ', radiusMeters: 3_000, limit: 20 }
    const answer = await pois.search(query, signal)
    expect(answer.provider).toBe('googleplaces')
    expect(answer.pois.map(({ name }) => name)).toEqual([
      'Castelo de São Jorge',
      'Museu Nacional do Azulejo',
      'Miradouro da Graça',
    ])
    expect(answer.pois[0]).toMatchObject({ rating: 4.4, userRatingCount: 90_000, openNow: true })
    expect(stored).toEqual([
      [
        'home',
        'googleplaces:geocode:lisbon',
        '{"lat":38.7222524,"lon":-9.1393366}',
        30 * 86_400_000,
      ],
    ])
    emulator.fail({ kind: '500' }, { target: { path: '/maps/api/geocode/json' } })
    expect((await pois.search({ ...query, destination: 'Lisbon' }, signal)).pois).toHaveLength(3)
  })
})

describe('Firecrawl', () => {
  // The site itself is asked for its robots.txt.
  const robots =
    (text: string): typeof fetch =>
    async () =>
      new Response(text)

  test('reads a page that robots.txt allows, and no other', async () => {
    const { access } = await start(firecrawl)
    const page = (text: string) =>
      firecrawlCrawl(access, { fetchFor: () => robots(text) }).page(
        { ...ANN, url: 'https://lisbon.example/trams', fresh: true },
        signal,
      )
    expect(await page('')).toMatchObject({
      provider: 'firecrawl',
      page: {
        title: 'Trams',
        markdown: '# Trams\n\nTram 28 climbs to the castle.',
        language: 'en',
      },
    })
    await expect(page('User-agent: *\nDisallow: /trams')).rejects.toMatchObject({
      code: 'TOOL_GATE_CLOSED',
      details: { source_code: 'robots_disallowed' },
    })
  })

  const crawl = (access: VendorAccess, maxPages: number, options = { signal }) => {
    const clock = systemClock()
    // Polls every few milliseconds.
    const fast = {
      ...clock,
      after: (ms: number, run: () => void) => clock.after(ms / 200, run),
    }
    const progress: CrawlProgress[] = []
    const answer = firecrawlCrawl(access, { fetchFor: () => robots(''), clock: fast }).site(
      {
        ...ANN,
        url: 'https://lisbon.example/',
        fresh: false,
        maxPages,
        onProgress: (one) => progress.push(one),
      },
      options.signal,
    )
    return { answer, progress }
  }

  test('crawls with polling, further parts, progress and what was skipped', async () => {
    const { access, emulator } = await start(firecrawl)
    emulator.fail({ kind: '500' }, { target: { method: 'GET' } })
    const { answer, progress } = crawl(access, 7)
    const { pages, status, skipped } = await answer
    expect([pages.length, status]).toEqual([7, 'completed'])
    expect(new Set(pages.map(({ url }) => url)).size).toBe(7)
    expect(skipped).toEqual([{ url: 'https://lisbon.example/private', reason: 'robots' }])
    expect(progress.map(({ completed }) => completed)).toEqual([0, 2, 4, 6, 7])
    expect((await crawl(access, 3).answer).pages).toHaveLength(3)
  })

  test('ends the job at the vendor when the call is cancelled', async () => {
    const { access, emulator } = await start(firecrawl)
    const leave = new AbortController()
    const { answer } = crawl(access, 7, { signal: leave.signal })
    await expect.poll(() => emulator.effects().length).toBeGreaterThan(1)
    leave.abort()
    await expect(answer).rejects.toThrow()
    expect(emulator.effects().at(-1)?.effect).toMatchObject({ kind: 'cancelled' })
  })
})

describe('Duffel Stays', () => {
  const dates = { checkin: '2099-05-10', checkout: '2099-05-17', guests: 2 }
  const guest = {
    givenName: 'Ann',
    familyName: 'Example',
    email: 'ann@example.com',
    phoneNumber: '+351000000',
  }
  const geocoder = localGeocoder(localPlaces())

  async function open() {
    const { emulator, access } = await start(duffel)
    const stays = duffelStays(access, { geocoder, now: () => Date.parse('2099-01-01') })
    const { listings } = await stays.search({ ...ANN, ...dates, location: 'Lisbon' }, signal)
    // The first that can be cancelled.
    for (const { listingId } of listings) {
      const { cancellation } = await stays.quote({ ...ANN, ...dates, listingId }, signal)
      if (cancellation.refundable) return { emulator, stays, listings, listingId }
    }
    throw new Error('No stay is refundable.')
  }
  async function order(stays: StaysPort, listingId: string, reference = 'bk_1') {
    const { total } = await stays.quote({ ...ANN, ...dates, listingId }, signal)
    const one: StayOrder = {
      ...ANN,
      ...dates,
      listingId,
      reference,
      sessionId: 'session-1',
      total,
      guest,
      idempotencyKey: reference,
    }
    return one
  }
  const bookingsIn = (emulator: Emulator) =>
    emulator.effects().filter(({ request }) => request === 'POST /stays/bookings').length

  test('search, quote, book, find, list and cancel', async () => {
    const { stays, listings, listingId, emulator } = await open()
    const listing = listings.find((one) => one.listingId === listingId)
    expect(listing).toMatchObject({ currency: 'USD', bookable: true })
    const wanted = await order(stays, listingId)
    expect(Number(wanted.total.amount)).toBe(listing?.totalPrice)
    const booked = await stays.book(wanted, signal)
    expect(booked).toMatchObject({
      reference: 'bk_1',
      bookingId: 'bok_1',
      status: 'confirmed',
      guests: 2,
      total: wanted.total,
      refund: wanted.total,
      provider: 'duffel',
    })
    expect(await stays.findBooking({ idempotencyKey: 'x', args: wanted }, signal)).toEqual(booked)
    expect(await stays.list(ANN, signal)).toEqual([booked])
    expect(await stays.list(BEN, signal)).toEqual([])
    expect(await stays.get({ ...BEN, reference: 'bk_1' }, signal)).toBeUndefined()
    const cancel = { ...ANN, reference: 'bk_1', idempotencyKey: 'c' }
    expect(await stays.cancel(cancel, signal)).toMatchObject({ status: 'cancelled' })
    expect(await stays.cancel(cancel, signal)).toMatchObject({ status: 'cancelled' })
    expect(bookingsIn(emulator)).toBe(1)
    // Neither the tenant nor the user is told to the vendor.
    expect(JSON.stringify(emulator.effects())).not.toMatch(/"(?:home|ann)"/)
  })

  test('a total that has changed is not booked', async () => {
    const { stays, listingId, emulator } = await open()
    const wanted = await order(stays, listingId)
    await fetch(`${emulator.url}/emulator/prices`, { method: 'POST', body: '{"factor":1.1}' })
    await expect(stays.book(wanted, signal)).rejects.toMatchObject({
      effect: 'none',
      details: { source_code: 'price_changed' },
    })
    expect(bookingsIn(emulator)).toBe(0)
  })

  test('a connection that is lost after the booking leaves one booking, which is found', async () => {
    const { stays, listingId, emulator } = await open()
    const wanted = await order(stays, listingId)
    emulator.fail({ kind: 'reset' }, { target: { path: '/stays/bookings' } })
    await expect(stays.book(wanted, signal)).rejects.toMatchObject({ effect: 'possible' })
    expect(await stays.findBooking({ idempotencyKey: 'x', args: wanted }, signal)).toMatchObject({
      reference: 'bk_1',
      status: 'confirmed',
    })
    expect(bookingsIn(emulator)).toBe(1)
  })

  test('a failure before the booking says that nothing was booked', async () => {
    const { stays, listingId, emulator } = await open()
    const wanted = await order(stays, listingId)
    for (const path of ['/stays/search', '/stays/quotes']) {
      emulator.fail({ kind: '500' }, { target: { path } })
      await expect(stays.book(wanted, signal)).rejects.toMatchObject({ effect: 'none' })
    }
    const { guest: _, ...withoutGuest } = wanted
    await expect(stays.book(withoutGuest, signal)).rejects.toMatchObject({
      code: 'TOOL_MISSING_REQUIRED_FIELD',
      effect: 'none',
    })
    expect(bookingsIn(emulator)).toBe(0)
  })

  test('finds a booking among more than one page of them', async () => {
    const { stays, listingId, emulator } = await open()
    await stays.book(await order(stays, listingId, 'bk_first'), signal)
    const { effect } = emulator.effects().at(-1) ?? {}
    // Bookings that were made elsewhere.
    for (let count = 2; count <= 206; count++)
      emulator.append('elsewhere', {
        ...(effect as object),
        id: `bok_${count}`,
        payload: { metadata: { surehand_reference: 'bk_other' } },
      })
    expect(await stays.get({ ...ANN, reference: 'bk_first' }, signal)).toBeDefined()
    expect(await stays.list(ANN, signal)).toHaveLength(1)
  })

  test('a stay that does not exist cannot be quoted', async () => {
    const { stays } = await open()
    const quote = stays.quote({ ...ANN, ...dates, listingId: 'acc_unknown' }, signal)
    await expect(quote).rejects.toMatchObject({ details: { source_code: 'listing_unavailable' } })
  })
})

describe('memories behind PostgREST', () => {
  const memory = (id: string, owner = ANN): NewMemory => ({
    ...owner,
    id,
    content: `Prefers window seats, "1,2" & (3). ${id}`,
    category: 'user_preference',
    createdAt: `2026-11-16T10:00:0${id.length % 10}.000Z`,
    sessionId: 'session-1',
    embedding: { model: 'm', vector: [0.5, -1, 0.25] },
    idempotencyKey: id,
  })

  test('are stored once, listed newest first, for their owner alone, and forgotten', async () => {
    const { access, emulator } = await start(postgrest)
    const memories = postgrestMemories(access)
    const stored = await memories.add(memory('a'), signal)
    expect(await memories.add(memory('a'), signal)).toEqual(stored)
    await memories.add(memory('bb'), signal)
    await memories.add(memory('a', BEN), signal)
    const list = await memories.list({ ...ANN, limit: 10 }, signal)
    expect(list.map(({ id }) => id)).toEqual(['bb', 'a'])
    expect(list[0]).toMatchObject({
      ...stored,
      id: 'bb',
      content: memory('bb').content,
      createdAt: memory('bb').createdAt,
    })
    expect(list[0]?.embedding).toEqual({ model: 'm', vector: [64, -127, 32] })
    expect(await memories.list({ ...ANN, limit: 1 }, signal)).toHaveLength(1)
    const forget = { ...ANN, id: 'bb', idempotencyKey: 'f' }
    expect(await memories.forget({ ...forget, ...BEN }, signal)).toEqual({ forgotten: false })
    expect(await memories.forget(forget, signal)).toEqual({ forgotten: true })
    expect(await memories.forget(forget, signal)).toEqual({ forgotten: false })
    expect(emulator.effects()).toHaveLength(4)
  })

  test.each(['eq.ann', 'ann&user_id=eq.ben', 'a,b)', '*', 'ann%', '\u{1F600}'])(
    'of the user %j are not those of another',
    async (userId) => {
      const { access } = await start(postgrest)
      const memories = postgrestMemories(access)
      await memories.add(memory('a', BEN), signal)
      await memories.add(memory('a', ANN), signal)
      expect(await memories.list({ tenant: 'home', userId, limit: 10 }, signal)).toEqual([])
      await memories.add(memory('c', { tenant: 'home', userId }), signal)
      expect(await memories.list({ tenant: 'home', userId, limit: 10 }, signal)).toHaveLength(1)
    },
  )
})
