import { offsetSecondsAt } from './offset-seconds-at.ts'
import type { TimeZonesPort } from './time-zones-port.ts'

/** From a map of the zones that is part of the program. */
export function localTimeZones(): TimeZonesPort {
  return {
    async resolve({ location, atMs }) {
      // erased: it exports the function itself, whatever its types say
      const { default: lookUp } = (await import('@photostructure/tz-lookup')) as unknown as {
        default: (lat: number, lng: number) => string
      }
      const timeZoneId = lookUp(location.lat, location.lng)
      return { timeZoneId, offsetSeconds: offsetSecondsAt(atMs, timeZoneId) }
    },
  }
}
