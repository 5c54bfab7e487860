import { defineTool } from '@surehand/core'
import { z } from 'zod'
import { discoveryPort } from './discovery-port.ts'
import {
  Category,
  DISCOVERY_CONTRACT,
  Engine,
  EngineOutput,
  LocationText,
  Need,
  PostId,
} from './web-search-items.ts'

const MAX_RESULTS = 8

export const socialProfileItems = defineTool({
  id: 'discovery.social_profile_items',
  title: 'Search social profiles for a need',
  category: 'marketplace',
  description:
    'Searches public profiles of businesses (LinkedIn, Instagram, Facebook, X, TikTok) that offer what a post needs and stores them as cards of the chat. Personal data is removed before anything is sent. It shares the budget of discovery.web_search_items.',
  version: '1.0.0',
  input: z.object({
    post_id: PostId,
    need: Need,
    category: Category.optional(),
    location_text: LocationText.optional(),
    engine: Engine.default('auto'),
    max_results: z.int().min(1).max(MAX_RESULTS).default(MAX_RESULTS),
  }),
  output: EngineOutput,
  contract: DISCOVERY_CONTRACT,
  requestId: ({ post_id: id }) => id,
  ports: { discovery: discoveryPort },
  examples: [
    {
      name: 'decorators',
      input: { post_id: 'post_1', need: 'wedding decoration', location_text: 'Kigali' },
    },
    { name: 'a few', input: { post_id: 'post_2', need: 'a tailor', max_results: 3 } },
  ],
  execute: async ({ input, caller, ports, idempotencyKey, signal }) => {
    const { feed_items, ...receipt } = await ports.discovery.search(
      {
        tenant: caller.tenant,
        postId: input.post_id,
        kind: 'social',
        need: input.need,
        category: input.category,
        locationText: input.location_text,
        engine: input.engine,
        radiusKm: 0,
        maxResults: input.max_results,
        idempotencyKey,
      },
      signal,
    )
    return { ...receipt, feed_items: [...feed_items] }
  },
})
