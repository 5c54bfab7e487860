import { defineTool } from '@surehand/core'
import { z } from 'zod'
import { travelRead } from '../read-contract.ts'
import { searchContextOf } from '../travel-context.ts'
import { Poi, poisPort } from './maps-ports.ts'

const MAX_POIS = 20

export const lookupPoiContext = defineTool({
  id: 'travel.lookupPoiContext',
  title: 'Points of interest',
  category: 'travel',
  description:
    'Finds sights, museums, restaurants and other places near a destination or a point, with their ratings. `provider: "stub"` means that no places service is configured: the answer then holds only towns of a gazetteer, without ratings.',
  aliases: ['lookupPoiContext'],
  input: z
    .object({
      destination: z.string().trim().min(1).max(200).optional().describe('A town or an address.'),
      query: z.string().trim().min(1).max(200).optional().describe('As in "museums".'),
      lat: z.number().min(-90).max(90).optional(),
      lon: z.number().min(-180).max(180).optional(),
      radiusMeters: z.int().min(1).max(50_000).default(1_000),
    })
    .refine(
      ({ destination, query, lat, lon }) =>
        destination !== undefined ||
        query !== undefined ||
        (lat !== undefined && lon !== undefined),
      { path: ['destination'], error: 'is required, unless there is a query or lat and lon' },
    )
    .refine(({ lat, lon }) => (lat === undefined) === (lon === undefined), {
      path: ['lon'],
      error: 'and lat belong together',
    }),
  output: z.object({
    pois: z.array(Poi).max(MAX_POIS),
    provider: z.enum(['googleplaces', 'stub']),
  }),
  // No cache: Google's terms do not allow names and ratings to be stored. The provider stores the
  // coordinates of the destination.
  contract: { ...travelRead, timeout: '10s', limits: [{ calls: 20, per: '1m' }] },
  ports: { pois: poisPort },
  examples: [
    { name: 'in a town', input: { destination: 'Lisbon', query: 'museums', radiusMeters: 3_000 } },
    { name: 'near a point', input: { lat: 38.7139, lon: -9.1394 } },
  ],
  execute: async ({ input, caller, ports, signal }) => {
    const { destination, query, lat, lon, radiusMeters } = input
    const { pois, provider } = await ports.pois.search(
      {
        ...searchContextOf(caller),
        destination,
        query,
        point: lat === undefined || lon === undefined ? undefined : { lat, lon },
        radiusMeters,
        limit: MAX_POIS,
      },
      signal,
    )
    return { pois: pois.slice(0, MAX_POIS), provider }
  },
})
