import { definePort } from '@surehand/core'
import type { MapArea, MapTown } from './plan-map.ts'

/** Towns to draw on a map, the largest first. */
export type TownsPort = {
  readonly within: (
    query: MapArea & { readonly limit: number },
    signal: AbortSignal,
  ) => Promise<readonly MapTown[]>
}

export const townsPort = definePort<TownsPort>('travelTowns', { within: 'read' })
