import { defineTool, defineTransaction, transact } from '@surehand/core'
import { z } from 'zod'
import { OPERATE, type WriteRequest, writeRequest } from '../contract.ts'
import { moveOutreach } from '../outreach/store-outreach.ts'
import { STATE_RANK } from './settle-message.ts'

const Input = z.object({
  id: z.string().describe("WhatsApp's id of the message."),
  state: z.enum(['sent', 'delivered', 'read', 'failed']),
  callback: z.string().optional(),
  error: z.string().optional(),
  pricing: z.string().optional(),
  at: z.int(),
})
type StateInput = z.output<typeof Input>

const store = defineTransaction(
  'marketplace.store_message_state',
  async (tx, { tenant, now, input }: WriteRequest<StateInput>) => {
    await tx.run(
      `insert into mk_message_states (tenant, provider_message_id, state, callback, error, pricing, at) values (?, ?, ?, ?, ?, ?, ?)
        on conflict (tenant, provider_message_id, state) do nothing`,
      tenant,
      input.id,
      input.state,
      input.callback ?? null,
      input.error ?? null,
      input.pricing ?? null,
      input.at,
    )
    const message = await tx.get(
      'select id, state, party, party_id, request_id from mk_messages where tenant = ? and provider_message_id = ?',
      tenant,
      input.id,
    )
    if (message === undefined) return { message_id: null, request_id: null }
    const answer = {
      message_id: String(message.id),
      request_id: message.request_id === null ? null : String(message.request_id),
    }
    // States arrive in any order: only one that is further along changes anything.
    if ((STATE_RANK[input.state] ?? 0) <= (STATE_RANK[String(message.state)] ?? 0)) return answer
    await tx.run(
      'update mk_messages set state = ?, error = ?, updated_at = ? where tenant = ? and id = ?',
      input.state,
      input.error ?? null,
      now,
      tenant,
      answer.message_id,
    )
    if (input.state === 'failed' && message.party === 'vendor' && answer.request_id !== null) {
      const outreach = await tx.get(
        'select id from mk_outreach where tenant = ? and request_id = ? and vendor_id = ?',
        tenant,
        answer.request_id,
        String(message.party_id),
      )
      // It was accepted, so the outreach is past "failed": nobody waits for this vendor.
      if (outreach !== undefined)
        await moveOutreach(
          tx,
          { tenant, id: String(outreach.id), now, to: 'excluded' },
          { excluded_reason: `the message was not delivered: ${input.error ?? 'no reason given'}` },
        )
    }
    return answer
  },
)

export const storeMessageState = defineTool({
  id: 'marketplace.store_message_state',
  title: 'Store how far a message has come',
  category: 'marketplace',
  description:
    'Part of the webhook: sent, delivered, read or failed, in whatever order they arrive.',
  version: '1.0.0',
  input: Input,
  output: z.object({ message_id: z.string().nullable(), request_id: z.string().nullable() }),
  contract: {
    ...OPERATE,
    effect: 'writes.message',
    reversible: true,
    idempotency: 'caller',
    timeout: '5s',
  },
  examples: [
    { name: 'delivered', input: { id: 'wamid.out-1', state: 'delivered', at: 1_768_464_000_000 } },
    { name: 'read', input: { id: 'wamid.out-1', state: 'read', at: 1_768_464_000_000 } },
  ],
  transaction: transact(store, writeRequest<StateInput>('mst')),
})
