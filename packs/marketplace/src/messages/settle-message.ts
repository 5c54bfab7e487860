import { defineTool, defineTransaction, type Tx, transact } from '@surehand/core'
import { z } from 'zod'
import { OPERATE, type WriteRequest, writeRequest } from '../contract.ts'
import { moveOutreach } from '../outreach/store-outreach.ts'

const Input = z.object({
  message_id: z.string(),
  /** `postponed`: nothing has left, because the provider is out of reach. */
  result: z.enum(['sent', 'refused', 'unknown', 'postponed']),
  provider_message_id: z.string().optional(),
  error: z.string().max(500).optional(),
  /** How long a vendor has to answer. */
  reply_wait_ms: z.int().min(0),
  /** When a postponed message is tried again. */
  retry_after_ms: z.int().min(0).optional(),
})
type SettleInput = z.output<typeof Input>

const Output = z.object({ message_id: z.string(), state: z.string() })

/** The states that WhatsApp reports, by how far the message has come. */
export const STATE_RANK: Readonly<Record<string, number>> = {
  sent: 1,
  failed: 2,
  delivered: 3,
  read: 4,
}

const settle = defineTransaction(
  'marketplace.settle_message',
  async (tx, request: WriteRequest<SettleInput>) => {
    const { tenant, now, input } = request
    const { message_id: id, result } = input
    if (result === 'sent') return settleSent(tx, request)
    const isPostponed = result === 'postponed'
    // A state from WhatsApp may have come first and knows better. What is postponed was no attempt:
    // otherwise a message would be given up while WhatsApp is out of reach.
    await tx.run(
      `update mk_messages set state = ?, error = ?, attempt = attempt - ?, send_after = ?, updated_at = ?
        where tenant = ? and id = ? and state in ('sending', 'unknown')`,
      isPostponed ? 'queued' : result,
      input.error ?? null,
      isPostponed ? 1 : 0,
      isPostponed ? now + (input.retry_after_ms ?? 0) : null,
      now,
      tenant,
      id,
    )
    const row = await tx.get(
      'select state from mk_messages where tenant = ? and id = ?',
      tenant,
      id,
    )
    return { message_id: id, state: String(row?.state ?? result) }
  },
)

async function settleSent(
  tx: Tx,
  { tenant, now, input }: WriteRequest<SettleInput>,
): Promise<z.output<typeof Output>> {
  const { message_id: id, provider_message_id: providerId = '' } = input
  const arrived = await tx.all(
    'select state, error from mk_message_states where tenant = ? and provider_message_id = ?',
    tenant,
    providerId,
  )
  const [furthest] = arrived
    .map(({ state, error }) => ({ state: String(state), error }))
    .sort((left, right) => (STATE_RANK[right.state] ?? 0) - (STATE_RANK[left.state] ?? 0))
  const state = furthest?.state ?? 'sent'
  const { changes } = await tx.run(
    `update mk_messages set state = ?, error = ?, provider_message_id = ?, updated_at = ?
      where tenant = ? and id = ? and provider_message_id is null`,
    state,
    furthest?.error ?? null,
    providerId,
    now,
    tenant,
    id,
  )
  if (changes > 0) await markOutreachSent(tx, tenant, id, now, input.reply_wait_ms)
  return { message_id: id, state }
}

async function markOutreachSent(
  tx: Tx,
  tenant: string,
  messageId: string,
  now: number,
  replyWaitMs: number,
): Promise<void> {
  const outreach = await tx.get(
    `select o.id from mk_messages m join mk_outreach o on o.tenant = m.tenant and o.request_id = m.request_id and o.vendor_id = m.party_id
      where m.tenant = ? and m.id = ? and m.party = 'vendor'`,
    tenant,
    messageId,
  )
  if (outreach === undefined) return
  const id = String(outreach.id)
  const times = { sent_at: now, due_at: now + replyWaitMs }
  if (await moveOutreach(tx, { tenant, id, now, to: 'sent' }, times)) return
  // The reply was faster, and knew no end of the wait.
  await tx.run(
    `update mk_outreach set due_at = ? where tenant = ? and id = ? and state = 'replied' and due_at is null`,
    times.due_at,
    tenant,
    id,
  )
}

export const settleMessage = defineTool({
  id: 'marketplace.settle_message',
  title: 'Record how a message was sent',
  category: 'marketplace',
  description: 'Part of sending: stores what the provider answered.',
  version: '1.0.0',
  input: Input,
  output: Output,
  contract: {
    ...OPERATE,
    effect: 'writes.message',
    reversible: true,
    idempotency: 'caller',
    timeout: '5s',
  },
  examples: [
    {
      name: 'it was sent',
      input: {
        message_id: 'msg_sending',
        result: 'sent',
        provider_message_id: 'wamid.HBgLMjUwNzg4MTIzNDU2',
        reply_wait_ms: 1_800_000,
      },
    },
    {
      name: 'it was refused',
      input: {
        message_id: 'msg_sending',
        result: 'refused',
        error: 'The number is not on WhatsApp.',
        reply_wait_ms: 1_800_000,
      },
    },
    {
      name: 'WhatsApp is out of reach',
      input: {
        message_id: 'msg_sending',
        result: 'postponed',
        reply_wait_ms: 1_800_000,
        retry_after_ms: 15_000,
      },
    },
  ],
  transaction: transact(settle, writeRequest<SettleInput>('set')),
})
