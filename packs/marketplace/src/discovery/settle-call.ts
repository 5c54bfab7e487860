import { defineTool, defineTransaction, transact } from '@surehand/core'
import { z } from 'zod'
import { OPERATE, type WriteRequest, writeRequest } from '../contract.ts'
import { FeedSource } from './feed-item.ts'

const StoredItem = z.object({
  url: z.string(),
  title: z.string().optional(),
  snippet: z.string().optional(),
  phone: z.string().optional(),
  location_text: z.string().optional(),
  confidence: z.number().optional(),
  place_id: z.string().optional(),
})

const Input = z.object({
  post_id: z.string(),
  ticket: z.string(),
  /** `failed`: the engine refused, so the same call may be tried again with another ticket's worth. */
  outcome: z.enum(['stored', 'failed']),
  source: FeedSource,
  items: z.array(StoredItem).max(20),
})
type SettleInput = z.output<typeof Input>

const settle = defineTransaction(
  'discovery.settle_call',
  async (tx, { tenant, now, id, input }: WriteRequest<SettleInput>) => {
    const { post_id: postId, source, items, outcome, ticket } = input
    const ids: string[] = []
    for (const [position, item] of items.entries()) {
      await tx.run(
        `insert into external_feed_items (tenant, feed_item_id, post_id, source, url, title, snippet, phone, location_text, confidence, place_id, created_at)
          values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) on conflict (tenant, post_id, source, url) do nothing`,
        tenant,
        `${id}-${position}`,
        postId,
        source,
        item.url,
        item.title ?? null,
        item.snippet ?? null,
        item.phone ?? null,
        item.location_text ?? null,
        item.confidence ?? null,
        item.place_id ?? null,
        now,
      )
      const row = await tx.get(
        'select feed_item_id from external_feed_items where tenant = ? and post_id = ? and source = ? and url = ?',
        tenant,
        postId,
        source,
        item.url,
      )
      ids.push(String(row?.feed_item_id))
    }
    await tx.run(
      'update mk_discovery_calls set state = ?, items = ?, updated_at = ? where tenant = ? and ticket = ?',
      outcome,
      JSON.stringify(ids),
      now,
      tenant,
      ticket,
    )
    return { ids }
  },
)

export const settleDiscoveryCall = defineTool({
  id: 'discovery.settle_call',
  title: 'Store what a search found',
  category: 'marketplace',
  description:
    'Part of the discovery tools: stores what a search engine found, each address of a post and source once.',
  version: '1.0.0',
  input: Input,
  output: z.object({ ids: z.array(z.string()).describe('Of the items, in their order.') }),
  contract: {
    ...OPERATE,
    effect: 'writes.feed',
    reversible: true,
    idempotency: 'caller',
    timeout: '5s',
  },
  requestId: ({ post_id: id }) => id,
  examples: [
    {
      name: 'a pharmacy',
      input: {
        post_id: 'post_1',
        ticket: 't1',
        outcome: 'stored',
        source: 'openai_web_search',
        items: [{ url: 'https://pharmacy.example/', title: 'A pharmacy' }],
      },
    },
  ],
  transaction: transact(settle, writeRequest<SettleInput>('feed')),
})
