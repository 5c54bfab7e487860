import { defineTool, defineTransaction, transact } from '@surehand/core'
import { z } from 'zod'
import { WRITE, type WriteRequest, writeRequest } from '../contract.ts'
import { isLaterOffer, isOffer, readAnswers, toShortlist } from '../outreach/read-offers.ts'
import { RequestState } from './request.ts'
import { changeState, lockRequest } from './store-request.ts'

const Input = z.object({
  request_id: z.string().min(1).max(100),
  new_state: RequestState,
  reason: z.string().max(1_000).optional().describe('Why, for the history of the request.'),
  fallback_message: z
    .string()
    .min(1)
    .max(1_024)
    .optional()
    .describe('For the state error: what the client is told. It is sent by itself.'),
})

const updateState = defineTransaction(
  'marketplace.update_request_state',
  async (tx, { tenant, actor, now, input }: WriteRequest<z.output<typeof Input>>) => {
    const request = await lockRequest(tx, { tenant, id: input.request_id, now })
    await changeState(tx, request, {
      tenant,
      actor,
      now,
      to: input.new_state,
      reason: input.reason,
      fallbackMessage: input.new_state === 'error' ? input.fallback_message : undefined,
    })
    if (input.new_state === 'shortlist_ready') {
      const answers = await readAnswers(tx.all, tenant, request.id)
      const offers = answers.filter((answer) => isOffer(answer) || isLaterOffer(answer))
      await tx.run(
        'update mk_requests set shortlist = ? where tenant = ? and id = ?',
        JSON.stringify(toShortlist(offers)),
        tenant,
        request.id,
      )
    }
    return { success: true, previous_state: request.state, current_state: input.new_state }
  },
)

export const updateRequestState = defineTool({
  id: 'marketplace.update_request_state',
  title: 'Change the state of a request',
  category: 'marketplace',
  description:
    'Moves a request to another state. Only the transitions of the state machine are possible; an illegal one changes nothing and names the states that may follow. Closing a request, or setting it to error, ends its outreach to vendors; shortlist_ready stores the recorded offers as the shortlist, the cheapest first, and vendors who were not asked yet are left alone.',
  version: '1.0.0',
  input: Input,
  output: z.object({
    success: z.boolean(),
    previous_state: RequestState,
    current_state: RequestState,
    error: z.string().optional(),
  }),
  contract: {
    ...WRITE,
    effect: 'writes.request',
    reversible: true,
    // The two states of waiting alternate, so the input says nothing about whether it was meant
    // once or twice.
    idempotency: 'caller',
    timeout: '5s',
  },
  requestId: ({ request_id: id }) => id,
  examples: [
    {
      name: 'begin the outreach',
      input: { request_id: 'req_1', new_state: 'vendor_outreach', reason: 'the need is known' },
    },
    {
      name: 'something broke',
      input: {
        request_id: 'req_1',
        new_state: 'error',
        fallback_message: 'We could not go on with your request. A colleague will write to you.',
      },
    },
  ],
  transaction: transact(updateState, writeRequest<z.output<typeof Input>>('mst')),
})
