import { offsetSecondsAt } from './offset-seconds-at.ts'
import type { TimeZonesPort } from './time-zones-port.ts'

/** Looks the time zone up in a map that comes with the library. */
export function localTimeZones(): TimeZonesPort {
  return {
    async resolve({ location, atMs }) {
      // The cast: the module exports the function itself, unlike its types say.
      const { default: lookUp } = (await import('@photostructure/tz-lookup')) as unknown as {
        default: (lat: number, lng: number) => string
      }
      const timeZoneId = lookUp(location.lat, location.lng)
      return { timeZoneId, offsetSeconds: offsetSecondsAt(atMs, timeZoneId) }
    },
  }
}
