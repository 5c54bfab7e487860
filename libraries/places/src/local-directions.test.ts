import { describe, expect, test } from 'vitest'
import type { TravelMode } from './directions-port.ts'
import { localDirections } from './local-directions.ts'

test('a longer trip never takes less time, and a long one takes longer on foot than by car', async () => {
  const seconds = async (km: number, mode: TravelMode): Promise<number> => {
    const destination = { lat: 0, lng: km / 111.195 }
    const query = { tenant: 'home', origin: { lat: 0, lng: 0 }, destination, mode }
    return (await localDirections().estimate(query, new AbortController().signal)).durationSeconds
  }
  for (const mode of ['driving', 'transit', 'walking'] as const) {
    const all = await Promise.all([0, 0.1, 1, 5, 8, 9, 50, 500].map((km) => seconds(km, mode)))
    expect(all).toEqual(all.toSorted((one, other) => one - other))
  }
  expect(await seconds(10, 'walking')).toBeGreaterThan(await seconds(10, 'driving'))
})

const POINTS = {
  'San Francisco': { lat: 37.77, lng: -122.42 },
  'New York': { lat: 40.71, lng: -74.01 },
  Honolulu: { lat: 21.31, lng: -157.86 },
  Bogotá: { lat: 4.71, lng: -74.07 },
  London: { lat: 51.51, lng: -0.13 },
  Berlin: { lat: 52.52, lng: 13.4 },
  'Cape Town': { lat: -33.92, lng: 18.42 },
  Tokyo: { lat: 35.68, lng: 139.69 },
  Sapporo: { lat: 43.06, lng: 141.35 },
  Sydney: { lat: -33.87, lng: 151.21 },
  Auckland: { lat: -36.85, lng: 174.76 },
} as const
type Town = keyof typeof POINTS

describe('a trip by car', () => {
  const drive = (from: Town, to: Town) =>
    localDirections().estimate(
      { tenant: 'home', origin: POINTS[from], destination: POINTS[to], mode: 'driving' },
      new AbortController().signal,
    )

  test.each<[Town, Town]>([
    ['San Francisco', 'Tokyo'],
    ['New York', 'London'],
    ['San Francisco', 'Honolulu'],
    ['New York', 'Bogotá'],
    ['Sydney', 'Auckland'],
    ['Berlin', 'Tokyo'],
  ])('from %s to %s is refused', async (from, to) => {
    await expect(drive(from, to)).rejects.toMatchObject({ code: 'TOOL_INVALID_FIELD_VALUE' })
  })

  test.each<[Town, Town]>([
    ['San Francisco', 'New York'],
    ['Berlin', 'London'],
    ['Berlin', 'Cape Town'],
    ['Tokyo', 'Sapporo'],
  ])('from %s to %s is estimated', async (from, to) => {
    expect((await drive(from, to)).durationSeconds).toBeGreaterThan(3_600)
  })
})
