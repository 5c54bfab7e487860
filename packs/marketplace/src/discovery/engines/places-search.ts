import { greatCircleMeters, type PlacesPort } from '@surehand/places'
import { sendJson, type VendorAccess } from '@surehand/vendors'
import { z } from 'zod'
import { findSector, KIGALI_SECTORS } from '../../places/kigali-sectors.ts'
import type { FoundItem } from '../feed-item.ts'
import type { EngineQuery, SearchEngine } from './search-engine.ts'

// Google sends, and charges for, only the fields in the mask.
const FIELDS =
  'places.id,places.displayName,places.formattedAddress,places.googleMapsUri,places.internationalPhoneNumber,places.location'
const Answer = z.object({
  places: z
    .array(
      z.object({
        id: z.string(),
        displayName: z.object({ text: z.string() }).optional(),
        formattedAddress: z.string().optional(),
        googleMapsUri: z.string().optional(),
        internationalPhoneNumber: z.string().optional(),
        location: z.object({ latitude: z.number(), longitude: z.number() }).optional(),
      }),
    )
    .default([]),
})

type Point = { readonly lat: number; readonly lng: number }

/** Google's Places API (New): Text Search within a radius around a place that is found locally. */
export function placesSearch(
  access: VendorAccess & { readonly gazetteer: PlacesPort },
): SearchEngine {
  const { baseUrl, key, fetchFor, gazetteer } = access
  return {
    name: 'places',
    async search(query, signal) {
      const center = await findCenter(query, gazetteer, signal)
      const { places } = await sendJson(
        fetchFor(query.tenant),
        {
          vendor: 'Google Places',
          url: `${baseUrl}/v1/places:searchText`,
          method: 'POST',
          headers: { 'x-goog-api-key': key, 'x-goog-fieldmask': FIELDS },
          body: {
            textQuery: center === undefined ? describeQuery(query) : query.need,
            pageSize: query.maxResults,
            regionCode: query.country,
            ...(center !== undefined && {
              locationRestriction: { rectangle: rectangleAround(center, query.radiusKm) },
            }),
          },
          signal,
        },
        Answer,
      )
      return places.filter(({ location }) => isWithin(location, center, query.radiusKm)).map(toItem)
    },
  }
}

function describeQuery({ need, locationText }: EngineQuery): string {
  return locationText === undefined ? need : `${need} near ${locationText}`
}

// Nothing is sent to find the middle: Kigali's sectors and the world's towns are known locally.
async function findCenter(
  { locationText, tenant, country }: EngineQuery,
  gazetteer: PlacesPort,
  signal: AbortSignal,
): Promise<Point | undefined> {
  if (locationText === undefined) return undefined
  const sector =
    findSector(locationText) ??
    KIGALI_SECTORS.find(({ name }) => locationText.toLowerCase().includes(name.toLowerCase()))
  if (sector !== undefined) return { lat: sector.latitude, lng: sector.longitude }
  const town = await gazetteer.resolve({ tenant, query: locationText, regionCode: country }, signal)
  return town?.location
}

const KM_PER_DEGREE = 111.32

// Text Search restricts to rectangles only; what lies in their corners is left out afterwards.
function rectangleAround({ lat, lng }: Point, radiusKm: number): object {
  const high = radiusKm / KM_PER_DEGREE
  const wide = high / Math.max(0.01, Math.cos((lat * Math.PI) / 180))
  return {
    low: { latitude: lat - high, longitude: lng - wide },
    high: { latitude: lat + high, longitude: lng + wide },
  }
}

function isWithin(
  location: { readonly latitude: number; readonly longitude: number } | undefined,
  center: Point | undefined,
  radiusKm: number,
): boolean {
  if (location === undefined || center === undefined) return true
  const there = { lat: location.latitude, lng: location.longitude }
  return greatCircleMeters(center, there) <= radiusKm * 1000
}

function toItem(place: z.output<typeof Answer>['places'][number]): FoundItem {
  return {
    title: place.displayName?.text ?? '',
    url: place.googleMapsUri,
    location_text: place.formattedAddress,
    phone: place.internationalPhoneNumber,
    place_id: place.id,
  }
}
