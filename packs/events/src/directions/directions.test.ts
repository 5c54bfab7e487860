import { contractSuite } from '@surehand/conformance'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { localWorld } from '../fixtures/local-world.ts'
import { directionsEstimate } from './directions-estimate.ts'
import type { TravelMode } from './directions-port.ts'
import { greatCircleMeters } from './great-circle.ts'
import { localDirections } from './providers/local-directions.ts'

contractSuite(directionsEstimate, {
  open: localWorld(() => ({ providers: { directions: localDirections() } })),
})

const LatLng = fc.record({
  lat: fc.double({ min: -90, max: 90, noNaN: true }),
  lng: fc.double({ min: -180, max: 180, noNaN: true }),
})

test('distances are what the atlas says, within half a percent', () => {
  const [berlin, paris, sydney] = [
    { lat: 52.52, lng: 13.405 },
    { lat: 48.8566, lng: 2.3522 },
    { lat: -33.8688, lng: 151.2093 },
  ]
  expect(greatCircleMeters(berlin, paris) / 877_500).toBeCloseTo(1, 2)
  expect(greatCircleMeters(paris, sydney) / 16_960_000).toBeCloseTo(1, 2)
})

test('a way is as long back as there, and never longer than half around the earth', () => {
  fc.assert(
    fc.property(LatLng, LatLng, (from, to) => {
      expect(greatCircleMeters(from, to)).toBe(greatCircleMeters(to, from))
      expect(greatCircleMeters(from, to)).toBeLessThanOrEqual(20_015_200)
    }),
  )
})

test('a longer way never takes less time, and walking no less than driving once it is far', async () => {
  const seconds = async (km: number, mode: TravelMode): Promise<number> => {
    const destination = { lat: 0, lng: km / 111.195 }
    const way = { tenant: 'home', origin: { lat: 0, lng: 0 }, destination, mode }
    return (await localDirections().estimate(way, new AbortController().signal)).durationSeconds
  }
  for (const mode of ['driving', 'transit', 'walking'] as const) {
    const all = await Promise.all([0, 0.1, 1, 5, 8, 9, 50, 500].map((km) => seconds(km, mode)))
    expect(all).toEqual(all.toSorted((one, other) => one - other))
  }
  expect(await seconds(10, 'walking')).toBeGreaterThan(await seconds(10, 'driving'))
})
