import { defineTool } from '@surehand/core'
import { z } from 'zod'
import { WRITE } from '../contract.ts'
import { discoveryPort } from './discovery-port.ts'
import { ExternalFeedItem } from './feed-item.ts'

export const PostId = z.string().min(1).max(200).describe('The post in the chat.')
export const Need = z
  .string()
  .trim()
  .min(1)
  .max(1_000)
  .describe('What is needed. Names, phone numbers, e-mail addresses and ids are removed from it.')
export const LocationText = z.string().trim().min(1).max(300).describe('Where, as in Kimironko.')
export const Category = z.string().trim().min(1).max(100)
export const Engine = z
  .enum(['openai', 'gemini', 'auto'])
  .describe('auto: OpenAI, then Gemini if OpenAI cannot answer.')

const DISABLED = {
  disabled: z.boolean().optional().describe('True: nothing was searched, for the reason given.'),
  reason: z
    .string()
    .optional()
    .describe('As in external_discovery_disabled, budget_exceeded, search_interrupted.'),
}
export const EngineOutput = z.object({
  engine: z.enum(['openai', 'gemini', 'none']),
  feed_items: z.array(ExternalFeedItem),
  ...DISABLED,
})
export const MapsOutput = z.object({ feed_items: z.array(ExternalFeedItem), ...DISABLED })

/** What all tools of discovery have in common. */
export const DISCOVERY_CONTRACT = {
  ...WRITE,
  effect: 'writes.feed',
  reversible: true,
  idempotency: 'caller',
  timeout: '60s',
} as const

const MAX_RESULTS = 10

export const webSearchItems = defineTool({
  id: 'discovery.web_search_items',
  title: 'Search the web for a need',
  category: 'marketplace',
  description:
    'Searches the web for shops that offer what a post needs and stores them as cards of the chat. Personal data is removed before anything is sent. A post may cause two searches, web and social together; after that the answer says budget_exceeded.',
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
      name: 'a medicine',
      input: {
        post_id: 'post_1',
        need: 'amoxicillin 500mg',
        category: 'pharmacy',
        location_text: 'Kimironko, Kigali',
      },
    },
    { name: 'a few', input: { post_id: 'post_2', need: 'tyres 175/70 R13', max_results: 3 } },
  ],
  execute: async ({ input, caller, ports, idempotencyKey, signal }) => {
    const { feed_items, ...receipt } = await ports.discovery.search(
      {
        tenant: caller.tenant,
        postId: input.post_id,
        kind: 'web',
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
