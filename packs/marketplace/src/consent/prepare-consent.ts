import { defineTool, defineTransaction, transact } from '@surehand/core'
import { z } from 'zod'
import { OPERATE, type WriteRequest, writeRequest } from '../contract.ts'
import { refuse } from '../refuse.ts'
import { lockRequest } from '../request/store-request.ts'

const Input = z.object({
  request_id: z.string(),
  scope: z.string().min(1).max(100),
  reason: z.string().min(1).max(500),
})
type PrepareInput = z.output<typeof Input>

const prepare = defineTransaction(
  'marketplace.prepare_consent',
  async (tx, { tenant, now, id, input }: WriteRequest<PrepareInput>) => {
    const request = await lockRequest(tx, { tenant, id: input.request_id, now })
    if (request.state === 'closed')
      throw refuse('INVALID_STATE', 'The request is closed: there is nothing to call about.', {
        state: request.state,
      })
    const standing = await tx.get(
      `select id, state, message_sent, expires_at from mk_consents where tenant = ? and request_id = ? and scope = ?
        and (state = 'requested' or (state = 'granted' and expires_at > ?)) order by requested_at desc limit 1`,
      tenant,
      request.id,
      input.scope,
      now,
    )
    if (standing?.state === 'granted')
      throw refuse(
        'CONSENT_ALREADY_GRANTED',
        'The client has already allowed this call. Start it with marketplace.start_call.',
        {
          consent_id: standing.id,
          expires_at: new Date(Number(standing.expires_at)).toISOString(),
        },
      )
    if (standing !== undefined)
      return { consent_id: String(standing.id), is_asked: Number(standing.message_sent) === 1 }
    await tx.run(
      `insert into mk_consents (tenant, id, request_id, scope, reason, state, message_sent, requested_at) values (?, ?, ?, ?, ?, 'requested', 0, ?)`,
      tenant,
      id,
      request.id,
      input.scope,
      input.reason,
      now,
    )
    return { consent_id: id, is_asked: false }
  },
)

export const prepareConsent = defineTool({
  id: 'marketplace.prepare_consent',
  title: 'Prepare a consent',
  category: 'marketplace',
  description:
    'Part of marketplace.request_call_consent: finds the pending consent of a request, or creates one.',
  version: '1.0.0',
  input: Input,
  output: z.object({ consent_id: z.string(), is_asked: z.boolean() }),
  contract: {
    ...OPERATE,
    effect: 'writes.consent',
    reversible: true,
    idempotency: 'caller',
    timeout: '5s',
  },
  requestId: ({ request_id: id }) => id,
  examples: [
    {
      name: 'to explain a dose',
      input: { request_id: 'req_1', scope: 'concierge', reason: 'to explain the offers' },
    },
  ],
  transaction: transact(prepare, writeRequest<PrepareInput>('con')),
})
