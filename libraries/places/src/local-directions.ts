import type { DirectionsPort, TravelMode } from './directions-port.ts'
import { greatCircleMeters } from './great-circle.ts'

// Roads are this much longer than the great circle, as studies of road networks find on average.
const DETOUR = 1.3

/**
 * Metres up to which a speed holds, with the speed in kilometres an hour, and what is lost at the
 * ends.
 */
type Pace = {
  readonly legs: readonly (readonly [upTo: number, kmh: number])[]
  readonly overheadSeconds: number
}

const PACES: Readonly<Record<TravelMode, Pace>> = {
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
 * Without a road map: from the distance, slower in towns than between them. The answer is marked as
 * an estimate.
 */
export function localDirections(): DirectionsPort {
  return {
    async estimate({ origin, destination, mode }) {
      const distanceMeters = Math.round(greatCircleMeters(origin, destination) * DETOUR)
      return {
        durationSeconds: secondsFor(distanceMeters, PACES[mode]),
        distanceMeters,
        provider: 'great-circle',
        estimated: true,
      }
    },
  }
}

function secondsFor(meters: number, { legs, overheadSeconds }: Pace): number {
  let seconds = meters === 0 ? 0 : overheadSeconds
  let done = 0
  for (const [upTo, kmh] of legs) {
    const leg = Math.max(0, Math.min(meters, upTo) - done)
    seconds += (leg / 1000 / kmh) * 3600
    done += leg
  }
  return Math.round(seconds)
}
