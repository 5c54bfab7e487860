import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { conversation, outreach, request, vendor } from '../../testing/market-rows.ts'
import {
  type MarketDatabase,
  openMarketDatabase,
  type SeedRow,
} from '../../testing/market-world.ts'
import { scoreVendor } from './search-vendors.ts'

let database: MarketDatabase
beforeAll(async () => {
  database = await openMarketDatabase()
})
afterAll(() => database.close())

test.each([
  [{ points: 40, km: 0, replyHours: 0, rating: 5 }, 100],
  [{ points: 40, km: 1.5, replyHours: 2, rating: 4 }, 40 + 27 + 16 + 8],
  [{ points: 20, km: 15, replyHours: 10, rating: 0 }, 20],
  [{ points: 20, km: 30, replyHours: 100, rating: 5 }, 30],
  [{ points: 40, km: undefined, replyHours: undefined, rating: undefined }, 40],
])('the score of %j is %d', (facts, expected) => {
  expect(scoreVendor(facts)).toBeCloseTo(expected)
})

describe('a search', () => {
  const rows: readonly SeedRow[] = [
    conversation('cnv_1'),
    request('req_1'),
    request('req_nowhere', { lat: null, lng: null }),
    ...vendor('ven_1', { lat: -1.9496, lng: 30.1263, rating: 3, reply_hours: 1 }),
    ...vendor('ven_2', {
      lat: -1.96,
      lng: 30.13,
      rating: 5,
      reply_hours: 0.1,
      tags: '["24h","Insurance"]',
    }),
    // About 7 km away.
    ...vendor('ven_3', { lat: -2.01, lng: 30.13, rating: 5, reply_hours: 0 }),
    ...vendor('ven_4', { active: 0 }),
    ...vendor('ven_5', { opted_out_at: 1 }),
    ...vendor('ven_6'),
    outreach('out_6', 'req_1', 'ven_6', 'sent'),
    ...vendor('ven_7', { rating: null, reply_hours: null, lat: -1.9496, lng: 30.1263 }),
    {
      table: 'mk_vendor_categories',
      row: { category: 'hardware', vendor_id: 'ven_1', points: 20, lat: -1.9496, lng: 30.1263 },
    },
  ]
  const search = async (input: object) => {
    const world = await database.open({ rows })
    const found = (await world.data('marketplace.search_vendors', {
      request_id: 'req_1',
      category: 'pharmacy',
      ...input,
    })) as { vendors: { vendor_id: string }[]; total_available: number }
    await world.close()
    return [found.vendors.map(({ vendor_id: id }) => id), found.total_available]
  }

  test.each([
    ['the best first, within 5 km', {}, ['ven_2', 'ven_1', 'ven_7'], 3],
    [
      'further away',
      { filters: { location_radius_km: 15 } },
      ['ven_3', 'ven_2', 'ven_1', 'ven_7'].sort(),
      4,
    ],
    ['only as many as are wanted, and how many there are', { limit: 1 }, ['ven_2'], 3],
    ['well rated', { filters: { min_rating: 4 } }, ['ven_2'], 1],
    ['with all tags, in any case', { filters: { tags: ['24H', 'insurance'] } }, ['ven_2'], 1],
    ['of another category', { category: 'Hardware' }, ['ven_1'], 1],
    ['of a category that no vendor has', { category: 'boats' }, [], 0],
  ])('%s', async (name, input, expected, total) => {
    const [ids, count] = await search(input)
    expect([name === 'further away' ? (ids as string[]).toSorted() : ids, count]).toEqual([
      expected,
      total,
    ])
  })

  test('without a place knows no distances and still finds vendors', async () => {
    const world = await database.open({ rows })
    const found = (await world.data('marketplace.search_vendors', {
      request_id: 'req_nowhere',
      category: 'pharmacy',
    })) as { vendors: object[]; total_available: number }
    expect(found.total_available).toBe(5)
    expect(found.vendors[0]).not.toHaveProperty('distance_km')
    await world.close()
  })
})
