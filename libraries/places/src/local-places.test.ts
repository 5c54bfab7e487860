import { describe, expect, test } from 'vitest'
import { localPlaces } from './local-places.ts'

const places = localPlaces()
const signal = new AbortController().signal
const resolve = (query: string, regionCode?: string) =>
  places.resolve({ tenant: 'home', query, regionCode }, signal)

describe('the gazetteer', () => {
  test.each([
    ['München', 48.1, 11.6, 'place'],
    ['Muenchen', 48.1, 11.6, 'place'],
    ['MUNICH', 48.1, 11.6, 'place'],
    ['NYC', 40.7, -74, 'place'],
    ['Köln', 50.9, 7, 'place'],
    ['Wien', 48.2, 16.4, 'place'],
    ['Genève', 46.2, 6.1, 'place'],
    ['Ciudad de México', 19.4, -99.1, 'place'],
    ['Paris, Texas', 33.7, -95.6, 'place'],
    ['Paris', 48.9, 2.3, 'place'],
    ['Portland, ME', 43.7, -70.3, 'place'],
    ['Portland, Oregon, USA', 45.5, -122.7, 'place'],
    ['Cambridge, England', 52.2, 0.1, 'place'],
    ['123 Main St, San Francisco', 37.8, -122.4, 'town'],
    ['Marienplatz 1, 80331 München', 48.1, 11.6, 'town'],
    ['Lindenstraße 5, 10969 Berlin, Deutschland', 52.5, 13.4, 'town'],
    ['12 rue de la Paix, 75002 Paris', 48.9, 2.3, 'town'],
    ['The Fillmore, San Francisco, CA', 37.8, -122.4, 'town'],
    ['Kulturhaus Berlin', 52.5, 13.4, 'town'],
  ])('finds %s', async (query, lat, lng, precision) => {
    const found = await resolve(query)
    expect(found).toMatchObject({ precision, provider: 'gazetteer' })
    expect([
      Math.abs((found?.location.lat ?? 0) - lat) < 0.2,
      Math.abs((found?.location.lng ?? 0) - lng) < 0.2,
    ]).toEqual([true, true])
  })

  test('prefers the given country', async () => {
    expect(await resolve('Birmingham', 'US')).toMatchObject({
      formattedAddress: expect.stringContaining('Alabama'),
    })
    expect(await resolve('Birmingham', 'GB')).toMatchObject({
      formattedAddress: expect.stringContaining('United Kingdom'),
    })
  })

  test.each(["Aunt Ann's garden", 'Room 12b', 'the usual place', 'Golden Gate Park', '42'])(
    'finds no town in "%s"',
    async (query) => {
      expect(await resolve(query)).toBeNull()
    },
  )
})
