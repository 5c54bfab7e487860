import { expect, test } from 'vitest'
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
