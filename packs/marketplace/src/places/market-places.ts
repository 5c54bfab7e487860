import type { PlacesPort } from '@surehand/places'
import { findSector } from './kigali-sectors.ts'

/** Knows the sectors of Kigali and asks another provider for every other place. */
export function marketPlaces(other: PlacesPort): PlacesPort {
  return {
    async resolve(query, signal) {
      const sector = findSector(query.query)
      if (sector === undefined) return other.resolve(query, signal)
      const { name, district, latitude, longitude } = sector
      return {
        placeId: `sector:${name.toLowerCase()}`,
        formattedAddress: `${name}, ${district}, Kigali, Rwanda`,
        name,
        location: { lat: latitude, lng: longitude },
        precision: 'place',
        provider: 'sectors of Kigali',
      }
    },
  }
}
