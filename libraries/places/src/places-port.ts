import { definePort } from '@surehand/core'
import type { LatLng } from './lat-lng.ts'

export type Place = {
  readonly placeId: string
  readonly formattedAddress: string
  readonly location: LatLng
  readonly name?: string
  /** The town, where the address itself is unknown. */
  readonly precision: 'place' | 'town'
  readonly provider: string
}

export type PlaceQuery = {
  readonly tenant: string
  readonly query: string
  readonly regionCode?: string | undefined
}

/** Finds places by what people call them; null where nobody knows it. */
export type PlacesPort = {
  readonly resolve: (query: PlaceQuery, signal: AbortSignal) => Promise<Place | null>
}

export const placesPort = definePort<PlacesPort>('places', { resolve: 'read' })
