import { definePort } from '@surehand/core'
import type { LatLng } from './lat-lng.ts'

export type TravelMode = 'driving' | 'transit' | 'walking'
export type TripQuery = {
  readonly tenant: string
  readonly origin: LatLng
  readonly destination: LatLng
  readonly mode: TravelMode
  readonly departureTime?: string | undefined
}
export type TripEstimate = {
  readonly durationSeconds: number
  readonly distanceMeters: number
  readonly provider: string
  /** True if it was computed from the distance, without a road network. */
  readonly estimated: boolean
}

/** Estimates how long a trip takes. */
export type DirectionsPort = {
  readonly estimate: (query: TripQuery, signal: AbortSignal) => Promise<TripEstimate>
}

export const directionsPort = definePort<DirectionsPort>('directions', { estimate: 'read' })
