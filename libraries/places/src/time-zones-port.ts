import { definePort } from '@surehand/core'
import type { LatLng } from './lat-lng.ts'

export type ZoneQuery = {
  readonly tenant: string
  readonly location: LatLng
  readonly atMs: number
}
export type Zone = { readonly timeZoneId: string; readonly offsetSeconds: number }

/** Finds the time zone of a place, and its UTC offset at an instant. */
export type TimeZonesPort = {
  readonly resolve: (query: ZoneQuery, signal: AbortSignal) => Promise<Zone>
}

export const timeZonesPort = definePort<TimeZonesPort>('timeZones', { resolve: 'read' })
