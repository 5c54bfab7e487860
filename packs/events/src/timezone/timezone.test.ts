import { contractSuite } from '@surehand/conformance'
import { localTimeZones } from '@surehand/places'
import { expect, test } from 'vitest'
import { ANN, localWorld, openRuntime } from '../fixtures/local-world.ts'
import { timezoneResolve } from './timezone-resolve.ts'

contractSuite(timezoneResolve, {
  open: localWorld(() => ({ providers: { timeZones: localTimeZones() } })),
})

test.each([
  ['Berlin in winter', 52.52, 13.405, '2026-01-15T12:00:00Z', 'Europe/Berlin', 3_600],
  ['Berlin in summer', 52.52, 13.405, '2026-07-15T12:00:00Z', 'Europe/Berlin', 7_200],
  [
    'a minute before the clocks go forward',
    52.52,
    13.405,
    '2026-03-29T00:59:00Z',
    'Europe/Berlin',
    3_600,
  ],
  ['the minute they do', 52.52, 13.405, '2026-03-29T01:00:00Z', 'Europe/Berlin', 7_200],
  ['Kathmandu', 27.7172, 85.324, '2026-01-15T12:00:00Z', 'Asia/Kathmandu', 20_700],
  ['New York', 40.7128, -74.006, '2026-07-15T12:00:00Z', 'America/New_York', -14_400],
  ["St. John's", 47.5615, -52.7126, '2026-01-15T12:00:00Z', 'America/St_Johns', -12_600],
  ['Kiritimati', 1.8721, -157.4278, '2026-01-15T12:00:00Z', 'Pacific/Kiritimati', 50_400],
])(
  'finds the zone and the offset of %s',
  async (_, lat, lng, timestamp, timeZoneId, offsetSeconds) => {
    const runtime = openRuntime([timezoneResolve], { timeZones: localTimeZones() })
    const input = { location: { lat, lng }, timestamp }
    expect(
      await runtime.call({ tool: 'timezone.resolve', input, caller: ANN, surface: 'test' }),
    ).toMatchObject({
      status: 'done',
      data: { timeZoneId, offsetSeconds },
    })
  },
)

test('without a provider, a caller without a valid time zone gets UTC', async () => {
  const runtime = openRuntime([timezoneResolve], {
    timeZones: { resolve: () => Promise.reject(new Error('gone')) },
  })
  const input = { location: { lat: 1, lng: 1 } }
  const { timeZone: _, ...withoutZone } = ANN
  for (const caller of [withoutZone, { ...ANN, timeZone: 'Mars/Olympus' }])
    expect(
      await runtime.call({ tool: 'TimeZoneResolve', input, caller, surface: 'test' }),
    ).toMatchObject({
      degraded: true,
      data: { timeZoneId: 'UTC', offsetSeconds: 0 },
    })
})
