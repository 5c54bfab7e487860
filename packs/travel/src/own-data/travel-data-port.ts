import { definePort, sameKey } from '@surehand/core'
import { z } from 'zod'
import type { TravelContext } from '../travel-context.ts'

/** How much of a person's data there is. */
export const DataCounts = z.object({
  plans: z.int(),
  memories: z.int(),
  shares: z.int().describe('Links by which plans can be read.'),
})
export type DataCounts = z.output<typeof DataCounts>

/** All data of a person that the tools store, wherever it is. Bookings belong to their providers. */
export type TravelDataPort = {
  readonly count: (context: TravelContext, signal: AbortSignal) => Promise<DataCounts>
  /** Deletes what there is, and returns how much it was. A repetition deletes the rest. */
  readonly deleteAll: (
    request: TravelContext & { readonly idempotencyKey: string },
    signal: AbortSignal,
  ) => Promise<DataCounts>
}

export const travelDataPort = definePort<TravelDataPort>('travelData', {
  count: 'read',
  deleteAll: sameKey({ validFor: '30d' }),
})
