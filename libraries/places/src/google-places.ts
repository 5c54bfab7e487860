import { asServiceError, sendJson, type VendorAccess } from '@surehand/vendors'
import { z } from 'zod'
import type { PlacesPort } from './places-port.ts'

// Google sends, and charges for, only the fields in the mask.
const FIELDS = 'places.id,places.displayName,places.formattedAddress,places.location'
const Answer = z.object({
  places: z
    .array(
      z.object({
        id: z.string(),
        formattedAddress: z.string(),
        location: z.object({ latitude: z.number(), longitude: z.number() }),
        displayName: z.object({ text: z.string() }).optional(),
      }),
    )
    .default([]),
})

/** Google's Places API (New): Text Search. */
export function googlePlaces({ baseUrl, key, fetchFor }: VendorAccess): PlacesPort {
  return {
    async resolve({ tenant, query, regionCode }, signal) {
      const request = {
        vendor: 'Google Places',
        url: `${baseUrl}/v1/places:searchText`,
        method: 'POST',
        headers: { 'x-goog-api-key': key, 'x-goog-fieldmask': FIELDS },
        body: {
          textQuery: query,
          pageSize: 1,
          ...(regionCode === undefined ? {} : { regionCode }),
        },
        signal,
      } as const
      const [place] = (await sendJson(fetchFor(tenant), request, Answer).catch(asServiceError))
        .places
      if (place === undefined) return null
      return {
        placeId: place.id,
        formattedAddress: place.formattedAddress,
        location: { lat: place.location.latitude, lng: place.location.longitude },
        ...(place.displayName === undefined ? {} : { name: place.displayName.text }),
        precision: 'place',
        provider: 'google',
      }
    },
  }
}
