import { definePort } from '@surehand/core'
import type { LatLng } from '../lat-lng-shape.ts'

export type TravelMode = 'driving' | 'transit' | 'walking'
export type Way = {
  readonly tenant: string
  readonly origin: LatLng
  readonly destination: LatLng
  readonly mode: TravelMode
  readonly departureTime?: string | undefined
}
export type Travel = {
  readonly durationSeconds: number
  readonly distanceMeters: number
  readonly provider: string
  readonly estimated: boolean
}

/** How long a trip takes. */
export type DirectionsPort = {
  readonly estimate: (way: Way, signal: AbortSignal) => Promise<Travel>
}

export const directionsPort = definePort<DirectionsPort>('directions', { estimate: 'read' })
