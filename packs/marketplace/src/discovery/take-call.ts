import { defineTool, defineTransaction, transact } from '@surehand/core'
import { z } from 'zod'
import { OPERATE, type WriteRequest, writeRequest } from '../contract.ts'
import { takeBudget } from './take-budget.ts'

const Input = z.object({
  post_id: z.string(),
  budget: z.enum(['search', 'maps']),
  engine: z.enum(['openai', 'gemini', 'places']),
  max: z.int().min(0),
  /** One for each request to an engine; driven again, the same request has the same ticket. */
  ticket: z.string(),
})
type TakeInput = z.output<typeof Input>

const Output = z.object({
  /**
   * `granted`: send the request. `interrupted`: it may have been sent before a crash. `stored`: it
   * was sent, and its items are stored.
   */
  state: z.enum(['granted', 'exceeded', 'interrupted', 'stored']),
  items: z.array(z.string()).describe('The ids of the stored items.'),
})

// The count and the ticket are written together: a node that dies afterwards has used its call.
const take = defineTransaction(
  'discovery.take_call',
  async (tx, { tenant, now, input }: WriteRequest<TakeInput>): Promise<z.input<typeof Output>> => {
    const { post_id: postId, budget, engine, max, ticket } = input
    const standing = await tx.get(
      'select state, items from mk_discovery_calls where tenant = ? and ticket = ?',
      tenant,
      ticket,
    )
    if (standing?.state === 'sent') return { state: 'interrupted', items: [] }
    if (standing?.state === 'stored')
      return { state: 'stored', items: JSON.parse(String(standing.items ?? '[]')) }
    if (!(await takeBudget(tx, { tenant, postId, budget, max })))
      return { state: 'exceeded', items: [] }
    await tx.run(
      `insert into mk_discovery_calls (tenant, ticket, post_id, budget, engine, state, taken_at, updated_at)
        values (?, ?, ?, ?, ?, 'sent', ?, ?)
        on conflict (tenant, ticket) do update set state = 'sent', updated_at = excluded.updated_at`,
      tenant,
      ticket,
      postId,
      budget,
      engine,
      now,
      now,
    )
    return { state: 'granted', items: [] }
  },
)

export const takeDiscoveryCall = defineTool({
  id: 'discovery.take_call',
  title: 'Take a call from the budget of a post',
  category: 'marketplace',
  description:
    'Part of the discovery tools: counts a request to a search engine against the budget of its post, before it is sent.',
  version: '1.0.0',
  input: Input,
  output: Output,
  contract: {
    ...OPERATE,
    effect: 'writes.feed',
    reversible: false,
    idempotency: 'caller',
    timeout: '5s',
  },
  requestId: ({ post_id: id }) => id,
  examples: [
    {
      name: 'a web search',
      input: { post_id: 'post_1', budget: 'search', engine: 'openai', max: 2, ticket: 't1' },
    },
    {
      name: 'places',
      input: { post_id: 'post_1', budget: 'maps', engine: 'places', max: 2, ticket: 't2' },
    },
  ],
  transaction: transact(take, writeRequest<TakeInput>('take')),
})
