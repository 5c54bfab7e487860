import { defineTool } from '@surehand/core'
import { z } from 'zod'
import { travelRead } from '../read-contract.ts'
import { searchContextOf } from '../travel-context.ts'
import { GeocodedPlace, geocoderPort } from './maps-ports.ts'

export const geocode = defineTool({
  id: 'travel.geocode',
  title: 'Find the coordinates of an address',
  category: 'travel',
  description:
    'Finds the places that an address or a name may mean, the most likely first, with their coordinates. An empty list means that it is unknown.',
  aliases: ['geocode'],
  input: z.object({ address: z.string().trim().min(1).max(500) }),
  output: z.array(GeocodedPlace).max(10),
  contract: {
    ...travelRead,
    timeout: '8s',
    limits: [{ calls: 20, per: '1m' }],
    // The entry holds ids and coordinates, and of other content only what its terms allow: see
    // GeocodedPlace.
    cache: { ttl: '1h', shared: true },
  },
  ports: { geocoder: geocoderPort },
  examples: [
    { name: 'a town', input: { address: 'Lisbon' } },
    { name: 'an address', input: { address: 'Praça do Comércio, Lisboa, Portugal' } },
  ],
  execute: async ({ input, caller, ports, signal }) => {
    const places = await ports.geocoder.geocode({ ...searchContextOf(caller), ...input }, signal)
    return places.slice(0, 10)
  },
})
