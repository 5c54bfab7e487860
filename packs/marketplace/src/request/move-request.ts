import { defineTool, defineTransaction, transact } from '@surehand/core'
import { z } from 'zod'
import { ATTENTION_KINDS, raiseAttention } from '../attention/raise-attention.ts'
import { type WriteRequest, writeRequest } from '../contract.ts'
import { INTERNAL_WRITE } from '../internal-write.ts'
import { RequestState } from './request.ts'
import { changeState, lockRequest } from './store-request.ts'

const Input = z.object({
  request_id: z.string(),
  version: z.int(),
  new_state: RequestState,
  reason: z.string().max(1_000),
  fallback_message: z.string().min(1).max(1_024).optional(),
  /** What a person must look at because of it. */
  attention: z.object({ kind: z.enum(ATTENTION_KINDS), reason: z.string().max(500) }).optional(),
})
type MoveInput = z.output<typeof Input>

const move = defineTransaction(
  'marketplace.move_request',
  async (tx, { tenant, actor, now, id, input }: WriteRequest<MoveInput>) => {
    const request = await lockRequest(tx, { tenant, id: input.request_id, now })
    await changeState(tx, request, {
      tenant,
      actor,
      now,
      to: input.new_state,
      version: input.version,
      reason: input.reason,
      fallbackMessage: input.fallback_message,
    })
    if (input.attention !== undefined)
      await raiseAttention(tx, {
        tenant,
        now,
        id,
        kind: input.attention.kind,
        subject: `${request.id}/${request.version}`,
        reason: input.attention.reason,
        requestId: request.id,
        conversationId: request.conversationId,
      })
    return { request_id: request.id, state: input.new_state }
  },
)

export const moveRequest = defineTool({
  id: 'marketplace.move_request',
  title: 'Change the state of a request that was read',
  category: 'marketplace',
  description:
    "The orchestrator's update_request_state: it changes the state only if the request has still the version that the decision was made on.",
  version: '1.0.0',
  input: Input,
  output: z.object({ request_id: z.string(), state: RequestState }),
  contract: { ...INTERNAL_WRITE, effect: 'writes.request' },
  requestId: ({ request_id: id }) => id,
  examples: [
    {
      name: 'begin the outreach',
      input: { request_id: 'req_1', version: 0, new_state: 'vendor_outreach', reason: 'ready' },
    },
  ],
  transaction: transact(move, writeRequest<MoveInput>('mov')),
})
