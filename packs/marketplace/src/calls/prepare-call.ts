import { defineTool, defineTransaction, transact } from '@surehand/core'
import { z } from 'zod'
import { OPERATE, type WriteRequest, writeRequest } from '../contract.ts'
import { readCallFacts, refuseCall } from './call-gates.ts'

const Input = z.object({
  consent_id: z.string(),
  /** The key of the call that starts it: driven again, it finds the same attempt. */
  dispatch_key: z.string(),
  calling_enabled: z.boolean(),
})
type PrepareInput = z.output<typeof Input>

const prepare = defineTransaction(
  'marketplace.prepare_call',
  async (tx, { tenant, now, id, input }: WriteRequest<PrepareInput>) => {
    const { consent_id: consentId, dispatch_key: key, calling_enabled: callingEnabled } = input
    const standing = await tx.get(
      'select id, request_id from mk_call_attempts where tenant = ? and dispatch_key = ?',
      tenant,
      key,
    )
    if (standing !== undefined)
      return { call_attempt_id: String(standing.id), request_id: String(standing.request_id) }
    // The row of the client is locked, so that two calls at once are counted one after the other.
    await tx.run(
      `update mk_conversations set touched_at = ? where tenant = ? and id = (select r.conversation_id from mk_consents c
        join mk_requests r on r.tenant = c.tenant and r.id = c.request_id where c.tenant = ? and c.id = ?)`,
      now,
      tenant,
      tenant,
      consentId,
    )
    const facts = await readCallFacts(tx.all, { tenant, consentId, callingEnabled })
    const refusal = refuseCall(facts, now)
    if (refusal !== undefined) throw refusal
    const requestId = facts.consent?.requestId ?? ''
    await tx.run(
      `insert into mk_call_attempts (tenant, id, consent_id, request_id, conversation_id, state, dispatch_key, started_at, updated_at)
        values (?, ?, ?, ?, ?, 'initiated', ?, ?, ?)`,
      tenant,
      id,
      consentId,
      requestId,
      facts.conversationId ?? '',
      key,
      now,
      now,
    )
    return { call_attempt_id: id, request_id: requestId }
  },
)

export const prepareCall = defineTool({
  id: 'marketplace.prepare_call',
  title: 'Prepare a call',
  category: 'marketplace',
  description: 'Part of marketplace.start_call: checks the gates and stores the attempt.',
  version: '1.0.0',
  input: Input,
  output: z.object({ call_attempt_id: z.string(), request_id: z.string() }),
  contract: {
    ...OPERATE,
    effect: 'writes.call',
    reversible: true,
    idempotency: 'caller',
    timeout: '5s',
  },
  requestId: ({ consent_id: id }) => id,
  examples: [
    {
      name: 'a call',
      input: { consent_id: 'con_granted', dispatch_key: 'k1', calling_enabled: true },
    },
  ],
  transaction: transact(prepare, writeRequest<PrepareInput>('cal')),
})
