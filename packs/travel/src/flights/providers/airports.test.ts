import { greatCircleMeters, localPlaces } from '@surehand/places'
import { expect, test } from 'vitest'
import { loadAirports } from './airports.ts'

const CODES =
  'SFO OAK LAX JFK LGA EWR ORD BOS SEA LHR LGW CDG FRA MUC BER AMS ZRH VIE MAD BCN FCO HND NRT SIN SYD YYZ'

test('the airports among the landmarks are where airport-data-js has them', async () => {
  const airports = await loadAirports()
  const places = localPlaces()
  const far: string[] = []
  for (const code of CODES.split(' ')) {
    const query = { tenant: 'home', query: code }
    const place = await places.resolve(query, AbortSignal.timeout(30_000))
    const airport = airports.named(code).find((one) => one.code === code)
    const meters =
      place === null || airport === undefined
        ? Number.POSITIVE_INFINITY
        : greatCircleMeters(place.location, airport)
    // The rows are rounded to a thousandth of a degree.
    if (!(meters < 150)) far.push(`${code}: ${Math.round(meters)} m`)
  }
  expect(far).toEqual([])
})
