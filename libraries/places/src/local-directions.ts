import type { DirectionsPort, TravelMode } from './directions-port.ts'
import { greatCircleMeters } from './great-circle.ts'

// Roads are on average this much longer than the great circle, according to studies of networks.
const DETOUR_FACTOR = 1.3

/** Speeds by distance in metres, and the time that both ends of a trip take in addition. */
type SpeedProfile = {
  readonly legs: readonly (readonly [upTo: number, kmh: number])[]
  readonly overheadSeconds: number
}

const SPEED_PROFILES: Readonly<Record<TravelMode, SpeedProfile>> = {
  driving: {
    legs: [
      [8_000, 28],
      [40_000, 60],
      [Number.POSITIVE_INFINITY, 95],
    ],
    overheadSeconds: 120,
  },
  transit: {
    legs: [
      [10_000, 20],
      [40_000, 45],
      [Number.POSITIVE_INFINITY, 90],
    ],
    overheadSeconds: 480,
  },
  walking: { legs: [[Number.POSITIVE_INFINITY, 4.8]], overheadSeconds: 0 },
}

/**
 * Estimates a trip from its distance, without a road network. The first kilometres are slower, as in
 * towns. The result is marked as estimated.
 */
export function localDirections(): DirectionsPort {
  return {
    async estimate({ origin, destination, mode }) {
      const distanceMeters = Math.round(greatCircleMeters(origin, destination) * DETOUR_FACTOR)
      return {
        durationSeconds: travelSeconds(distanceMeters, SPEED_PROFILES[mode]),
        distanceMeters,
        provider: 'great-circle',
        estimated: true,
      }
    },
  }
}

function travelSeconds(meters: number, { legs, overheadSeconds }: SpeedProfile): number {
  let seconds = meters === 0 ? 0 : overheadSeconds
  let done = 0
  for (const [upTo, kmh] of legs) {
    const leg = Math.max(0, Math.min(meters, upTo) - done)
    seconds += (leg / 1000 / kmh) * 3600
    done += leg
  }
  return Math.round(seconds)
}
