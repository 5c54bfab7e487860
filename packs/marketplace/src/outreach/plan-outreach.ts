import { defineTool, defineTransaction, transact } from '@surehand/core'
import { z } from 'zod'
import { type WriteRequest, writeRequest } from '../contract.ts'
import { INTERNAL_WRITE } from '../internal-write.ts'
import { changeState, lockRequest } from '../request/store-request.ts'

const Input = z.object({
  request_id: z.string(),
  version: z.int().optional(),
  vendor_ids: z.array(z.string()).min(1).max(15),
})
type PlanInput = z.output<typeof Input>

const plan = defineTransaction(
  'marketplace.plan_outreach',
  async (tx, { tenant, actor, now, id, input }: WriteRequest<PlanInput>) => {
    const request = await lockRequest(tx, { tenant, id: input.request_id, now })
    await changeState(tx, request, {
      tenant,
      actor,
      now,
      version: input.version,
      to: 'vendor_outreach',
      reason: `${input.vendor_ids.length} vendors chosen`,
    })
    for (const [index, vendorId] of input.vendor_ids.entries())
      await tx.run(
        `insert into mk_outreach (tenant, id, request_id, vendor_id, state, touched_at, created_at) values (?, ?, ?, ?, 'queued', ?, ?)
          on conflict (tenant, request_id, vendor_id) do nothing`,
        tenant,
        `${id}-${index + 1}`,
        request.id,
        vendorId,
        now,
        now,
      )
    return { request_id: request.id, planned: input.vendor_ids.length }
  },
)

export const planOutreach = defineTool({
  id: 'marketplace.plan_outreach',
  title: 'Choose the vendors to ask',
  category: 'marketplace',
  description:
    'Stores which vendors are asked for a request and sets its state to vendor_outreach, together: after a crash the same vendors are asked.',
  version: '1.0.0',
  input: Input,
  output: z.object({ request_id: z.string(), planned: z.int() }),
  contract: { ...INTERNAL_WRITE, effect: 'writes.outreach' },
  requestId: ({ request_id: id }) => id,
  examples: [
    { name: 'two pharmacies', input: { request_id: 'req_1', vendor_ids: ['ven_1', 'ven_2'] } },
  ],
  transaction: transact(plan, writeRequest<PlanInput>('out')),
})
