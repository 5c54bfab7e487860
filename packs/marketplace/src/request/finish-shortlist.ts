import { defineTool, defineTransaction, transact } from '@surehand/core'
import { z } from 'zod'
import { type WriteRequest, writeRequest } from '../contract.ts'
import { INTERNAL_WRITE } from '../internal-write.ts'
import { MAX_SHORTLIST_ITEMS, RequestState, ShortlistItem } from './request.ts'
import { changeState, lockRequest } from './store-request.ts'

const Input = z.object({
  request_id: z.string(),
  version: z.int().optional(),
  shortlist: z.array(ShortlistItem).min(1).max(MAX_SHORTLIST_ITEMS),
})
type ShortlistInput = z.output<typeof Input>

const finish = defineTransaction(
  'marketplace.finish_shortlist',
  async (tx, { tenant, actor, now, input }: WriteRequest<ShortlistInput>) => {
    const request = await lockRequest(tx, { tenant, id: input.request_id, now })
    await changeState(tx, request, {
      tenant,
      actor,
      now,
      version: input.version,
      to: 'shortlist_ready',
      reason: `${input.shortlist.length} offers`,
    })
    await tx.run(
      'update mk_requests set shortlist = ? where tenant = ? and id = ?',
      JSON.stringify(input.shortlist),
      tenant,
      request.id,
    )
    return { request_id: request.id, state: 'shortlist_ready' as const }
  },
)

export const finishShortlist = defineTool({
  id: 'marketplace.finish_shortlist',
  title: 'Store the shortlist',
  category: 'marketplace',
  description: 'Stores the shortlist of a request and sets its state to shortlist_ready, together.',
  version: '1.0.0',
  input: Input,
  output: z.object({ request_id: z.string(), state: RequestState }),
  contract: { ...INTERNAL_WRITE, effect: 'writes.request' },
  requestId: ({ request_id: id }) => id,
  examples: [
    {
      name: 'one offer',
      input: {
        request_id: 'req_awaiting',
        shortlist: [
          {
            vendor_id: 'ven_1',
            vendor_name: 'Pharmacie Kimironko',
            vendor_phone: '250788100001',
            response_summary: 'In stock, 12,000 RWF',
            price: 12_000,
          },
        ],
      },
    },
  ],
  transaction: transact(finish, writeRequest<ShortlistInput>('sho')),
})
