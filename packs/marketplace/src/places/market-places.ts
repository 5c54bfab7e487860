import type { PlacesPort } from '@surehand/places'
import { anonymise } from '../discovery/anonymise.ts'
import { findSector } from './kigali-sectors.ts'

/**
 * Knows the sectors of Kigali and asks another provider for every other place. What a client wrote
 * may name more than a place, so personal data is removed before the text leaves.
 */
export function marketPlaces(other: PlacesPort): PlacesPort {
  return {
    async resolve(query, signal) {
      const sector = findSector(query.query)
      if (sector === undefined) {
        const { text } = anonymise(query.query)
        return text === '' ? null : other.resolve({ ...query, query: text }, signal)
      }
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
