import fc from 'fast-check'
import { expect, test } from 'vitest'
import { greatCircleMeters } from './great-circle.ts'

const LatLng = fc.record({
  lat: fc.double({ min: -90, max: 90, noNaN: true }),
  lng: fc.double({ min: -180, max: 180, noNaN: true }),
})

test('distances agree with published ones within half a percent', () => {
  const [berlin, paris, sydney] = [
    { lat: 52.52, lng: 13.405 },
    { lat: 48.8566, lng: 2.3522 },
    { lat: -33.8688, lng: 151.2093 },
  ]
  expect(greatCircleMeters(berlin, paris) / 877_500).toBeCloseTo(1, 2)
  expect(greatCircleMeters(paris, sydney) / 16_960_000).toBeCloseTo(1, 2)
})

test('the distance is the same in both directions, and at most half the circumference of the earth', () => {
  fc.assert(
    fc.property(LatLng, LatLng, (from, to) => {
      expect(greatCircleMeters(from, to)).toBe(greatCircleMeters(to, from))
      expect(greatCircleMeters(from, to)).toBeLessThanOrEqual(20_015_200)
    }),
  )
})
