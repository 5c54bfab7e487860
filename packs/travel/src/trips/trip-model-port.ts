import { definePort } from '@surehand/core'
import type { TravelContext } from '../travel-context.ts'
import type { TripWish } from './trip-wish.ts'

export type WishRequest = TravelContext & {
  readonly text: string
  /** The current date in the person's time zone. */
  readonly today: string
  readonly timeZone: string
}

/** Reads a wish with a language model; null if none is configured. */
export type TripModelPort = {
  readonly read: (request: WishRequest, signal: AbortSignal) => Promise<TripWish | null>
}

export const tripModelPort = definePort<TripModelPort>('travelModel', { read: 'read' })
