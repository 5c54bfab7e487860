import type { EmulatorReply, EmulatorRequest, EmulatorRoute } from '@surehand/testing'

/** Google's Time Zone API with two zones, west and east of the Atlantic, and none on the ocean. */
export const routes: readonly EmulatorRoute[] = [
  { method: 'GET', path: '/maps/api/timezone/json', handle: timeZone },
]

function timeZone({ query }: EmulatorRequest): EmulatorReply {
  if (query.get('key') === null)
    return { body: { status: 'REQUEST_DENIED', errorMessage: 'You must use an API key.' } }
  const [lat, lng] = (query.get('location') ?? '').split(',').map(Number)
  const seconds = Number(query.get('timestamp'))
  if (lat === undefined || lng === undefined || Number.isNaN(lat + lng + seconds))
    return { body: { status: 'INVALID_REQUEST' } }
  if (lng > -60 && lng < -20) return { body: { status: 'ZERO_RESULTS' } }
  const isSummer = isBetween(new Date(seconds * 1000).getUTCMonth(), 3, 9)
  const [timeZoneId, rawOffset, name] =
    lng <= -60
      ? ['America/Los_Angeles', -28_800, 'Pacific']
      : ['Europe/Berlin', 3_600, 'Central European']
  return {
    body: {
      dstOffset: isSummer ? 3_600 : 0,
      rawOffset,
      status: 'OK',
      timeZoneId,
      timeZoneName: `${name} ${isSummer ? 'Summer' : 'Standard'} Time`,
    },
  }
}

function isBetween(month: number, first: number, last: number): boolean {
  return month >= first && month <= last
}
