import { definePort } from '@surehand/core'
import { z } from 'zod'
import type { SearchContext } from '../travel-context.ts'

/**
 * A place that an address names. Google's terms allow its id to be stored for ever and its
 * coordinates for 30 days, and nothing else: so a provider leaves out the names that it may not have
 * stored.
 */
export const GeocodedPlace = z.object({
  placeId: z.string(),
  location: z.object({ lat: z.number(), lng: z.number() }),
  formattedAddress: z.string().optional(),
  name: z.string().optional(),
  precision: z
    .enum(['place', 'town'])
    .describe('"town": only the town is known, and the location is its centre.'),
  provider: z.string(),
})
export type GeocodedPlace = z.output<typeof GeocodedPlace>

/** Finds the places that an address may name, the most likely first. */
export type GeocoderPort = {
  readonly geocode: (
    query: SearchContext & { readonly address: string },
    signal: AbortSignal,
  ) => Promise<readonly GeocodedPlace[]>
}

export const geocoderPort = definePort<GeocoderPort>('travelGeocoder', { geocode: 'read' })

const Measure = z.object({ text: z.string(), value: z.number() })

/** One answer of Google's Distance Matrix: metres and seconds in `value`. */
export const MatrixElement = z.object({
  status: z.enum(['OK', 'NOT_FOUND', 'ZERO_RESULTS']),
  distance: Measure.optional(),
  duration: Measure.optional(),
})

/** Google's Distance Matrix JSON, whichever provider supplies it. */
export const DistanceMatrix = z.object({
  status: z.literal('OK'),
  origin_addresses: z.array(z.string()),
  destination_addresses: z.array(z.string()),
  rows: z.array(z.object({ elements: z.array(MatrixElement) })),
})
export type DistanceMatrix = z.output<typeof DistanceMatrix>

export type DistanceQuery = SearchContext & {
  readonly origins: readonly string[]
  readonly destinations: readonly string[]
  /** For the texts; values are always metres and seconds. */
  readonly units: 'metric' | 'imperial'
}

export type DistanceAnswer = {
  readonly matrix: DistanceMatrix
  readonly provider: string
  /** How exact it is where no road network was used, as a sentence. */
  readonly accuracy?: string | undefined
}

export type DistancesPort = {
  readonly matrix: (query: DistanceQuery, signal: AbortSignal) => Promise<DistanceAnswer>
}

export const distancesPort = definePort<DistancesPort>('travelDistances', { matrix: 'read' })

/** A point of interest. Coordinates are `lat` and `lon`, as document 000 names them. */
export const Poi = z.object({
  placeId: z.string(),
  name: z.string(),
  lat: z.number(),
  lon: z.number(),
  types: z.array(z.string()),
  rating: z.number().optional(),
  userRatingCount: z.int().optional(),
  formattedAddress: z.string().optional(),
  url: z.string().optional(),
  openNow: z.boolean().optional(),
  priceLevel: z.string().optional(),
})
export type Poi = z.output<typeof Poi>

export type PoiQuery = SearchContext & {
  /** A town or an address; its coordinates are looked up where none are given. */
  readonly destination?: string | undefined
  readonly point?: { readonly lat: number; readonly lon: number } | undefined
  readonly query?: string | undefined
  readonly radiusMeters: number
  readonly limit: number
}

export type PoiAnswer = {
  readonly pois: readonly Poi[]
  /** `stub` where no service for points of interest is configured: then places of a gazetteer. */
  readonly provider: 'googleplaces' | 'stub'
}

/**
 * Finds points of interest. A provider may store the coordinates of a destination for up to 30 days
 * under `googleplaces:geocode:{normalizedDestination}`, and stores nothing else.
 */
export type PoisPort = {
  readonly search: (query: PoiQuery, signal: AbortSignal) => Promise<PoiAnswer>
}

export const poisPort = definePort<PoisPort>('travelPois', { search: 'read' })

/** The part of a cache key that is the same for every spelling of a destination. */
export function normalizeDestination(text: string): string {
  return text.normalize('NFKC').toLowerCase().replaceAll(/\s+/g, ' ').trim()
}
