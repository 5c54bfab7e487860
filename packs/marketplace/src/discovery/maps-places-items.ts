import { defineTool } from '@surehand/core'
import { z } from 'zod'
import { discoveryPort } from './discovery-port.ts'
import { DISCOVERY_CONTRACT, LocationText, MapsOutput, Need, PostId } from './web-search-items.ts'

const MAX_RESULTS = 10

export const mapsPlacesItems = defineTool({
  id: 'discovery.maps_places_items',
  title: 'Search Google Maps for a need',
  category: 'marketplace',
  description:
    'Searches Google Places for businesses near a place that offer what a post needs and stores their addresses on Google Maps as cards of the chat. Personal data is removed before anything is sent. A post may cause two such searches.',
  version: '1.0.0',
  input: z.object({
    post_id: PostId,
    need: Need,
    location_text: LocationText.optional(),
    radius_km: z.number().min(1).max(15).default(5),
    max_results: z.int().min(1).max(MAX_RESULTS).default(MAX_RESULTS),
  }),
  output: MapsOutput,
  contract: DISCOVERY_CONTRACT,
  requestId: ({ post_id: id }) => id,
  ports: { discovery: discoveryPort },
  examples: [
    {
      name: 'pharmacies',
      input: { post_id: 'post_1', need: 'pharmacy', location_text: 'Kimironko', radius_km: 3 },
    },
    { name: 'anywhere', input: { post_id: 'post_2', need: 'tyres in Kigali' } },
  ],
  execute: async ({ input, caller, ports, idempotencyKey, signal }) => {
    const { feed_items, disabled, reason } = await ports.discovery.search(
      {
        tenant: caller.tenant,
        postId: input.post_id,
        kind: 'maps',
        need: input.need,
        locationText: input.location_text,
        engine: 'auto',
        radiusKm: input.radius_km,
        maxResults: input.max_results,
        idempotencyKey,
      },
      signal,
    )
    return {
      feed_items: [...feed_items],
      ...(disabled !== undefined && { disabled }),
      ...(reason !== undefined && { reason }),
    }
  },
})
