import { greatCircleMeters, nearbyTowns } from '@surehand/places'
import type { TownsPort } from '../towns-port.ts'

/** Towns of the gazetteer that this machine has. */
export function gazetteerTowns(): TownsPort {
  return {
    async within({ south, west, north, east, limit }) {
      const centre = { lat: (south + north) / 2, lng: (west + east) / 2 }
      const radiusMeters = greatCircleMeters(centre, { lat: north, lng: east })
      const towns = await nearbyTowns({ centre, radiusMeters, limit: limit * 4 })
      return towns
        .map(({ name, location: { lat, lng } }) => ({ name, lat, lon: lng }))
        .filter(({ lat, lon }) => lat >= south && lat <= north && lon >= west && lon <= east)
        .slice(0, limit)
    },
  }
}
