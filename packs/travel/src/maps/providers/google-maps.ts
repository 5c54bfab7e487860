import { ToolError } from '@surehand/core'
import type { ValueStore } from '@surehand/core/ports'
import { greatCircleMeters } from '@surehand/places'
import { sendJson, type VendorAccess } from '@surehand/vendors'
import { z } from 'zod'
import {
  type DistanceAnswer,
  type DistanceQuery,
  type DistancesPort,
  type GeocoderPort,
  normalizeDestination,
  type Poi,
  type PoiQuery,
  type PoisPort,
} from '../maps-ports.ts'
import { formatMeasures } from './format-measures.ts'

const GeocodeAnswer = z.object({
  status: z.string(),
  error_message: z.string().optional(),
  results: z
    .array(
      z.object({
        place_id: z.string(),
        geometry: z.object({
          location: z.object({ lat: z.number(), lng: z.number() }),
          location_type: z.string().optional(),
        }),
        types: z.array(z.string()).default([]),
        partial_match: z.boolean().optional(),
      }),
    )
    .default([]),
})

/**
 * Google's Geocoding API. Of each place only the id and the coordinates are returned: the answer is
 * cached, and Google's terms allow nothing else to be stored.
 */
export function googleGeocoder({ baseUrl, key, fetchFor }: VendorAccess): GeocoderPort {
  return {
    async geocode({ tenant, address }, signal) {
      const query = new URLSearchParams({ address, key })
      const url = `${baseUrl}/maps/api/geocode/json?${query}`
      const request = { vendor: 'Google Geocoding', url, signal }
      const answer = await sendJson(fetchFor(tenant), request, GeocodeAnswer)
      if (answer.status !== 'OK' && answer.status !== 'ZERO_RESULTS')
        throw statusError(answer.status)
      return answer.results.map(({ place_id, geometry, partial_match, types }) => ({
        placeId: place_id,
        location: geometry.location,
        precision: partial_match === true && types.includes('locality') ? 'town' : 'place',
        provider: 'google',
      }))
    },
  }
}

// The HTTP status is 200 for all of them.
function statusError(status: string): ToolError {
  const message = `Google Geocoding refused the request (${status}).`
  switch (status) {
    case 'REQUEST_DENIED':
      return new ToolError('TOOL_API_KEY_INVALID', `${message} Check its key.`, { effect: 'none' })
    case 'OVER_QUERY_LIMIT':
    case 'OVER_DAILY_LIMIT':
      return new ToolError('TOOL_RATE_LIMIT_EXCEEDED', `${message} Try again later.`)
    case 'INVALID_REQUEST':
      return new ToolError('TOOL_INVALID_FIELD_VALUE', `${message} Give another address.`)
    default:
      return new ToolError('TOOL_EXTERNAL_SERVICE_ERROR', `${message} Try again later.`)
  }
}

const MATRIX_FIELDS = 'originIndex,destinationIndex,status,condition,distanceMeters,duration'
// Google omits what is zero.
const RouteMatrix = z.array(
  z.object({
    originIndex: z.int().default(0),
    destinationIndex: z.int().default(0),
    status: z.object({ code: z.int().default(0) }).default({ code: 0 }),
    condition: z.string().optional(),
    distanceMeters: z.int().default(0),
    duration: z
      .string()
      .regex(/^\d+(?:\.\d+)?s$/)
      .optional(),
  }),
)
type RouteElement = z.output<typeof RouteMatrix>[number]
/** google.rpc.Code */
const NOT_FOUND = 5

/** The Routes API's computeRouteMatrix, answered as Distance Matrix JSON. */
export function googleDistances({ baseUrl, key, fetchFor }: VendorAccess): DistancesPort {
  return {
    async matrix(query, signal) {
      const waypoint = (address: string) => ({ waypoint: { address } })
      const request = {
        vendor: 'Google Routes',
        url: `${baseUrl}/distanceMatrix/v2:computeRouteMatrix`,
        method: 'POST',
        headers: { 'x-goog-api-key': key, 'x-goog-fieldmask': MATRIX_FIELDS },
        body: {
          origins: query.origins.map(waypoint),
          destinations: query.destinations.map(waypoint),
          travelMode: 'DRIVE',
          routingPreference: 'TRAFFIC_UNAWARE',
        },
        signal,
      } as const
      const elements = await sendJson(fetchFor(query.tenant), request, RouteMatrix)
      return toDistanceMatrix(elements, query)
    },
  }
}

// The elements arrive in the order in which they were computed.
function toDistanceMatrix(
  elements: readonly RouteElement[],
  { origins, destinations, units }: DistanceQuery,
): DistanceAnswer {
  const byPlace = new Map(
    elements.map((one) => [`${one.originIndex}/${one.destinationIndex}`, one] as const),
  )
  return {
    matrix: {
      status: 'OK',
      origin_addresses: [...origins],
      destination_addresses: [...destinations],
      rows: origins.map((_, row) => ({
        elements: destinations.map((__, column) =>
          toElement(byPlace.get(`${row}/${column}`), units),
        ),
      })),
    },
    provider: 'google',
  }
}

function toElement(element: RouteElement | undefined, units: DistanceQuery['units']) {
  if (element?.status.code === NOT_FOUND) return { status: 'NOT_FOUND' as const }
  if (element?.condition !== 'ROUTE_EXISTS' || element.status.code !== 0)
    return { status: 'ZERO_RESULTS' as const }
  const durationSeconds = Math.round(Number((element.duration ?? '0s').slice(0, -1)))
  const { distanceMeters } = element
  return { status: 'OK' as const, ...formatMeasures({ distanceMeters, durationSeconds }, units) }
}

// Google sends, and charges for, only the fields in the mask.
const POI_FIELDS = [
  'id',
  'displayName',
  'location',
  'types',
  'rating',
  'userRatingCount',
  'formattedAddress',
  'googleMapsUri',
  'priceLevel',
  'currentOpeningHours.openNow',
]
  .map((field) => `places.${field}`)
  .join(',')
const PoiAnswer = z.object({
  places: z
    .array(
      z.object({
        id: z.string(),
        displayName: z.object({ text: z.string() }).optional(),
        location: z.object({ latitude: z.number(), longitude: z.number() }),
        types: z.array(z.string()).default([]),
        rating: z.number().optional(),
        userRatingCount: z.int().optional(),
        formattedAddress: z.string().optional(),
        googleMapsUri: z.string().optional(),
        priceLevel: z.string().optional(),
        currentOpeningHours: z.object({ openNow: z.boolean().optional() }).optional(),
      }),
    )
    .default([]),
})
type GooglePlace = z.output<typeof PoiAnswer>['places'][number]

/** The longest time for which Google's terms allow coordinates to be stored. */
const COORDINATES_MS = 30 * 86_400_000
const Coordinates = z.object({ lat: z.number(), lon: z.number() })
type Coordinates = z.output<typeof Coordinates>

/** Google's Places API (New): Text Search around a point. */
export function googlePois(
  { baseUrl, key, fetchFor }: VendorAccess,
  options: {
    readonly geocoder: GeocoderPort
    readonly values: Pick<ValueStore, 'get' | 'set'>
  },
): PoisPort {
  const { geocoder, values } = options

  async function locate(query: PoiQuery, signal: AbortSignal): Promise<Coordinates | undefined> {
    if (query.point !== undefined || query.destination === undefined) return query.point
    const storeKey = `googleplaces:geocode:${normalizeDestination(query.destination)}`
    const stored = await values.get(query.tenant, storeKey)
    if (stored !== undefined) return Coordinates.parse(JSON.parse(stored))
    const [found] = await geocoder.geocode({ ...query, address: query.destination }, signal)
    if (found === undefined) return undefined
    const point = { lat: found.location.lat, lon: found.location.lng }
    await values.set(query.tenant, storeKey, JSON.stringify(point), COORDINATES_MS)
    return point
  }

  return {
    async search(query, signal) {
      const point = await locate(query, signal)
      const what = query.query ?? 'tourist attractions'
      const request = {
        vendor: 'Google Places',
        url: `${baseUrl}/v1/places:searchText`,
        method: 'POST',
        headers: { 'x-goog-api-key': key, 'x-goog-fieldmask': POI_FIELDS },
        body: {
          textQuery: query.destination === undefined ? what : `${what} in ${query.destination}`,
          pageSize: Math.min(20, query.limit),
          ...(point === undefined ? {} : { locationBias: circleAround(point, query.radiusMeters) }),
        },
        signal,
      } as const
      const { places } = await sendJson(fetchFor(query.tenant), request, PoiAnswer)
      const pois = places.map(toPoi).filter((poi) => isWithin(poi, point, query.radiusMeters))
      return { pois, provider: 'googleplaces' }
    },
  }
}

function circleAround({ lat, lon }: Coordinates, radiusMeters: number) {
  return { circle: { center: { latitude: lat, longitude: lon }, radius: radiusMeters } }
}

// Google only prefers places within the circle.
function isWithin(poi: Poi, point: Coordinates | undefined, radiusMeters: number): boolean {
  if (point === undefined) return true
  const centre = { lat: point.lat, lng: point.lon }
  return greatCircleMeters(centre, { lat: poi.lat, lng: poi.lon }) <= radiusMeters
}

function toPoi(place: GooglePlace): Poi {
  const { rating, userRatingCount, formattedAddress, googleMapsUri, priceLevel } = place
  const openNow = place.currentOpeningHours?.openNow
  return {
    placeId: place.id,
    name: place.displayName?.text ?? place.id,
    lat: place.location.latitude,
    lon: place.location.longitude,
    types: place.types,
    ...(rating === undefined ? {} : { rating }),
    ...(userRatingCount === undefined ? {} : { userRatingCount }),
    ...(formattedAddress === undefined ? {} : { formattedAddress }),
    ...(googleMapsUri === undefined ? {} : { url: googleMapsUri }),
    ...(openNow === undefined ? {} : { openNow }),
    ...(priceLevel === undefined ? {} : { priceLevel }),
  }
}
