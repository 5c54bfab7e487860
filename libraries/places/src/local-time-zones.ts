import type { LatLng } from './lat-lng.ts'
import { offsetSecondsAt } from './offset-seconds-at.ts'
import type { TimeZonesPort } from './time-zones-port.ts'

/** Looks the time zone up in a map that comes with the library. */
export function localTimeZones(): TimeZonesPort {
  return {
    async resolve({ location, atMs }) {
      const timeZoneId = await findTimeZone(location)
      return { timeZoneId, offsetSeconds: offsetSecondsAt(atMs, timeZoneId) }
    },
  }
}

/** The time zone of a point; in the open sea, one of those that begin with `Etc/`. */
export async function findTimeZone({ lat, lng }: LatLng): Promise<string> {
  // The cast: the module exports the function itself, unlike its types say.
  const { default: lookUp } = (await import('@photostructure/tz-lookup')) as unknown as {
    default: (lat: number, lng: number) => string
  }
  return lookUp(lat, lng)
}
