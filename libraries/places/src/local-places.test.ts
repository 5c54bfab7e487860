import { describe, expect, test } from 'vitest'
import { greatCircleMeters } from './great-circle.ts'
import { LANDMARK_SOURCES, LANDMARKS } from './landmarks.ts'
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
    ['Washington, DC', 38.9, -77, 'place'],
    ['12 K Street, Washington D.C.', 38.9, -77, 'town'],
    ['Seattle, Washington', 47.6, -122.3, 'place'],
    ['Portland, ME', 43.7, -70.3, 'place'],
    ['Portland, Oregon, USA', 45.5, -122.7, 'place'],
    ['Cambridge, England', 52.2, 0.1, 'place'],
    ['Golden Gate Park', 37.77, -122.49, 'place'],
    ['golden gate park, San Francisco', 37.77, -122.49, 'place'],
    ['The Met', 40.78, -73.96, 'place'],
    ['Terminal 2, Heathrow', 51.47, -0.45, 'place'],
    ['Musee du Louvre, Paris', 48.86, 2.34, 'place'],
    ['Central Park, Denver', 39.7, -105, 'town'],
    ['Ginza Kyubey, Tokyo', 35.7, 139.7, 'town'],
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

  test.each(["Aunt Ann's garden", 'Room 12b', 'the usual place', 'Rosenhof Park', '42'])(
    'finds no town in "%s"',
    async (query) => {
      expect(await resolve(query)).toBeNull()
    },
  )
})

test('every landmark is near the town that it names', async () => {
  const far: string[] = []
  for (const { names, town, country, lat, lng } of LANDMARKS) {
    // The gazetteer takes "Washington, DC" for another town; its neighbour across the river is known.
    const found = await resolve(town === 'Washington, DC' ? 'Arlington, Virginia' : town, country)
    const meters =
      found === null ? Number.POSITIVE_INFINITY : greatCircleMeters(found.location, { lat, lng })
    if (!(meters < 45_000)) far.push(`${names[0]}: ${Math.round(meters / 1000)} km from ${town}`)
  }
  expect(far).toEqual([])
})

test('every landmark names the source of its coordinates, and every airport a package', () => {
  const cited = LANDMARKS.filter(({ source }) => source === 'airport-data-js')
  const isAirport = ({ names }: { readonly names: readonly string[] }) =>
    names.some((name) => /^[A-Z]{3}$/.test(name))
  expect(LANDMARKS.filter(({ source }) => LANDMARK_SOURCES[source] === undefined)).toEqual([])
  expect(cited).toEqual(LANDMARKS.filter(isAirport))
  expect(cited.length).toBeGreaterThanOrEqual(26)
})

test('landmarks come from files with a commit and a licence, but for those that tests name', () => {
  const { project, 'airport-data-js': registry, ...files } = LANDMARK_SOURCES
  const incomplete = Object.values(files).filter(
    (source) =>
      !/^github\.com\/\S+ at [0-9a-f]{40}, .+ \(.*(CC0|MIT|ODbL|public domain)/.test(source),
  )
  expect(incomplete).toEqual([])
  expect(project).toContain('not a cited file')
  expect(registry).toContain('CC BY 4.0')
  expect(LANDMARKS.filter(({ source }) => source === 'project').length).toBeLessThanOrEqual(8)
  expect(LANDMARKS.find(({ names }) => names[0] === 'Golden Gate Park')?.source).toBe(
    'wikidata-visitors',
  )
  const names = LANDMARKS.flatMap((landmark) => landmark.names)
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([])
})
