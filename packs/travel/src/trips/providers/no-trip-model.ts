import type { TripModelPort } from '../trip-model-port.ts'

/** No model is configured: wishes are read by rules. */
export function noTripModel(): TripModelPort {
  return { read: async () => null }
}
