import { definePort } from '@surehand/core'
import type { LatLng } from './lat-lng.ts'

export type Place = {
  readonly placeId: string
  readonly formattedAddress: string
  readonly location: LatLng
  readonly name?: string
  /** 'town' if only the town of the address is known. */
  readonly precision: 'place' | 'town'
  readonly provider: string
}

export type PlaceQuery = {
  readonly tenant: string
  readonly query: string
  readonly regionCode?: string | undefined
}

/** Finds a place by its name or address; null if it is unknown. */
export type PlacesPort = {
  readonly resolve: (query: PlaceQuery, signal: AbortSignal) => Promise<Place | null>
}

export const placesPort = definePort<PlacesPort>('places', { resolve: 'read' })
