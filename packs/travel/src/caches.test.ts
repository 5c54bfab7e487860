import { expect, test } from 'vitest'
import { localPorts, unreachable } from '../testing/local-ports.ts'
import { openTestHotel } from '../testing/test-hotel.ts'
import { ANN, BOB, openTravelWorld } from '../testing/travel-world.ts'
import { noWebSearch } from './web/providers/local-crawl.ts'
import { searchTtl } from './web/web-search.ts'

/** The providers with every call counted, by port and method. */
function countCalls() {
  const counts = new Map<string, number>()
  const wrap = (provider: object, name: string): object =>
    Object.fromEntries(
      Object.entries(provider).map(([method, work]) => [
        method,
        (...args: readonly unknown[]) => {
          const key = `${name}.${method}`
          counts.set(key, (counts.get(key) ?? 0) + 1)
          return (work as (...given: readonly unknown[]) => unknown)(...args)
        },
      ]),
    )
  return { counts, wrap }
}

const FLIGHT = { origin: 'BER', destination: 'LIS', departureDate: '2027-05-10' }
const STAY = { location: 'Lisbon', checkin: '2027-05-10', checkout: '2027-05-12' }

test.each([
  ['webSearch', { query: 'Lisbon now' }, 120, 'travelWebSearch.search'],
  ['webSearch', { query: 'what is open TODAY' }, 120, 'travelWebSearch.search'],
  ['webSearch', { query: 'Lisbon weather' }, 120, 'travelWebSearch.search'],
  ['webSearch', { query: 'Lisbon news' }, 600, 'travelWebSearch.search'],
  ['webSearch', { query: 'flight prices' }, 3600, 'travelWebSearch.search'],
  ['webSearch', { query: 'museum opening hours' }, 21_600, 'travelWebSearch.search'],
  ['webSearch', { query: 'restaurant menu' }, 21_600, 'travelWebSearch.search'],
  ['webSearch', { query: 'tiles' }, 3600, 'travelWebSearch.search'],
  ['crawlUrl', { url: 'https://example.com' }, 21_600, 'travelCrawl.page'],
  ['weather', { city: 'Lisbon' }, 600, 'travelWeather.current'],
  ['searchFlights', FLIGHT, 1800, 'travelFlights.search'],
  ['geocode', { address: 'Lisbon' }, 3600, 'travelGeocoder.geocode'],
  ['distanceMatrix', { origins: ['a'], destinations: ['b'] }, 3600, 'travelDistances.matrix'],
  ['searchAccommodations', STAY, 300, 'travelStays.search'],
])('%s %j is cached for %i seconds', async (tool, input, seconds, method) => {
  const { counts, wrap } = countCalls()
  const world = openTravelWorld({ wrap })
  await world.data(tool, input)
  await world.clock.advance((seconds - 1) * 1000)
  expect((await world.call(tool, input)).metadata.source).toBe('cached')
  expect(counts.get(method)).toBe(1)
  await world.clock.advance(1000)
  expect((await world.call(tool, input)).metadata.source).toBe('executed')
  expect(counts.get(method)).toBe(2)
})

test.each([
  ['the weather now', '120s'],
  ['snowfall', '3600s'],
  ['nowhere', '3600s'],
  ['newsletter', '3600s'],
  ['Hours of the museum today', '120s'],
])('"%s" is cached for %s: whole words decide, the fastest subject first', (query, ttl) => {
  expect(searchTtl(query)).toBe(ttl)
})

test('fresh searches again and renews what others read', async () => {
  const { counts, wrap } = countCalls()
  const world = openTravelWorld({ wrap })
  await world.data('webSearch', { query: 'tiles' })
  await world.data('webSearch', { query: 'tiles', fresh: true })
  expect(counts.get('travelWebSearch.search')).toBe(2)
  await world.clock.advance(3_599_000)
  expect((await world.call('webSearch', { query: 'tiles' })).metadata.source).toBe('cached')
})

test('a crawled site is cached although a worker reads it', async () => {
  const world = openTravelWorld()
  const input = { url: 'https://example.com', maxPages: 3 }
  expect((await world.call('crawlSite', input)).metadata.job).toBeDefined()
  world.runtime.start()
  await world.clock.advance(5_000)
  expect(await world.call('crawlSite', input)).toMatchObject({
    data: { status: 'completed', pages: { length: 3 }, untrusted: true },
    metadata: { source: 'cached' },
  })
  await world.close()
})

test('a hundred equal searches at once ask the provider once', async () => {
  const { counts, wrap } = countCalls()
  const held = Promise.withResolvers<void>()
  const world = openTravelWorld({
    wrap,
    providers: {
      travelFlights: {
        ...localPorts.travelFlights,
        search: async (query: Parameters<typeof localPorts.travelFlights.search>[0]) => {
          await held.promise
          return localPorts.travelFlights.search(query)
        },
      },
    },
  })
  const callers = Array.from({ length: 100 }, (_, index) => ({
    ...ANN,
    principal: `traveller-${index}`,
  }))
  const calls = callers.map((caller) => world.call('searchFlights', FLIGHT, { caller }))
  await new Promise((resolve) => setTimeout(resolve, 20))
  held.resolve()
  const answers = await Promise.all(calls)
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set(['success']))
  expect(counts.get('travelFlights.search')).toBe(1)
})

test('what one person searched for a stay is not answered to another from the cache', async () => {
  const { counts, wrap } = countCalls()
  const world = openTravelWorld({ wrap })
  await world.data('searchAccommodations', STAY)
  await world.data('searchAccommodations', STAY, BOB)
  expect(counts.get('travelStays.search')).toBe(2)
})

test('points of interest are stored nowhere: Google does not allow it', async () => {
  const { counts, wrap } = countCalls()
  const world = openTravelWorld({ wrap })
  for (const _ of [1, 2]) await world.data('lookupPoiContext', { destination: 'Lisbon' })
  expect(counts.get('travelPois.search')).toBe(2)
  expect(await world.stores.values.list('home', '')).toEqual([])
})

test('the weather falls back to the climate, says so, and is asked again at once', async () => {
  const world = openTravelWorld({
    providers: {
      travelWeather: { current: unreachable },
    },
  })
  const ask = async () => {
    const answer = world.call('weather', { city: 'Lisbon' })
    // The provider is tried again after a pause.
    await world.clock.advance(10_000)
    return answer
  }
  expect(await ask()).toMatchObject({
    data: { provider: 'climate-model' },
    metadata: { degraded: true, source: 'fallback' },
  })
  expect((await ask()).metadata.source).toBe('fallback')
})

test.each([
  ['webSearch', (n: number) => ({ query: `tiles ${n}` }), 20],
  ['searchFlights', (n: number) => ({ ...FLIGHT, departureDate: `2027-05-${10 + n}` }), 8],
  ['geocode', (n: number) => ({ address: `street ${n}` }), 20],
  ['distanceMatrix', (n: number) => ({ origins: [`a${n}`], destinations: ['b'] }), 20],
  ['lookupPoiContext', (n: number) => ({ query: `museum ${n}` }), 20],
  ['searchAccommodations', (n: number) => ({ ...STAY, location: `Town ${n}` }), 10],
  ['addConversationMemory', (n: number) => ({ content: `Memory ${n}` }), 20],
])('%s allows its calls of a minute, and refuses the next', async (tool, input, limit) => {
  const world = openTravelWorld()
  for (let n = 0; n < limit; n++) await world.data(tool, input(n))
  expect((await world.call(tool, input(limit))).error?.code).toBe('TOOL_RATE_LIMIT_EXCEEDED')
  await world.clock.advance(60_000)
  expect((await world.call(tool, input(limit))).status).toBe('success')
})

test('a search knows user, session and address of the caller, whatever the input says', async () => {
  const seen: object[] = []
  const world = openTravelWorld({
    providers: {
      travelStays: {
        ...openTestHotel(),
        search: async (search: object) => {
          seen.push(search)
          return { listings: [], provider: 'test', estimated: true }
        },
      },
    },
  })
  const input = { location: 'Lisbon', checkin: '2027-05-10', checkout: '2027-05-12' }
  const forged = { ...input, userId: 'bob', sessionId: 'session-of-bob', ip: '6.6.6.6' }
  await world.data('searchAccommodations', forged, { ...ANN, ip: '192.0.2.7' })
  const context = { tenant: 'home', userId: 'ann', sessionId: 'session-of-ann', ip: '192.0.2.7' }
  expect(seen).toEqual([{ ...context, ...input, guests: 1 }])
})

test('a search that is not configured says so each time', async () => {
  const world = openTravelWorld({ providers: { travelWebSearch: noWebSearch() } })
  for (let number = 0; number < 8; number++)
    expect((await world.call('webSearch', { query: `tiles ${number}` })).error).toMatchObject({
      code: 'TOOL_CONFIGURATION_ERROR',
      message: expect.stringContaining('No web search is configured'),
    })
})
