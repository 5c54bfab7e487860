import { ToolError } from '@surehand/core'
import type { DirectionsPort, TravelMode } from './directions-port.ts'
import { greatCircleMeters } from './great-circle.ts'
import { landmassOf } from './landmass.ts'
import type { LatLng } from './lat-lng.ts'

// Shorter crossings are ferries and tunnels, which a trip by car may use.
const MAX_FERRY_METERS = 300_000
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
      const direct = greatCircleMeters(origin, destination)
      if (direct > MAX_FERRY_METERS) await refuseOcean(origin, destination, mode)
      const distanceMeters = Math.round(direct * DETOUR_FACTOR)
      return {
        durationSeconds: travelSeconds(distanceMeters, SPEED_PROFILES[mode]),
        distanceMeters,
        provider: 'great-circle',
        estimated: true,
      }
    },
  }
}

// A refusal, not a failure: 15 minutes instead would be as wrong as the days of the model.
async function refuseOcean(origin: LatLng, destination: LatLng, mode: TravelMode): Promise<void> {
  const [from, to] = await Promise.all([landmassOf(origin), landmassOf(destination)])
  if (from === undefined || to === undefined || from === to) return
  throw new ToolError(
    'TOOL_INVALID_FIELD_VALUE',
    `There is no way by ${mode}: the sea is between ${from} and ${to}. Plan a flight.`,
    {
      details: {
        validation_errors: [
          { field: 'destination', error: 'is beyond the sea', provided_value: destination },
        ],
      },
    },
  )
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
