import { defineTool, defineTransaction, ToolError, transact } from '@surehand/core'
import { z } from 'zod'
import { type WriteRequest, writeRequest } from '../contract.ts'
import { INTERNAL_WRITE } from '../internal-write.ts'
import { admitMessage, Prepared, Quiet } from './prepare-message.ts'
import { lockRecipient } from './recipient.ts'

const Input = z.object({ message_id: z.string(), quiet: Quiet })
type QueuedInput = z.output<typeof Input>

const prepare = defineTransaction(
  'marketplace.prepare_queued_message',
  async (tx, { tenant, now, input }: WriteRequest<QueuedInput>): Promise<Prepared> => {
    const find = () =>
      tx.get(
        `select m.*, o.id as outreach_id from mk_messages m
          left join mk_outreach o on o.tenant = m.tenant and o.request_id = m.request_id and o.vendor_id = m.party_id
          where m.tenant = ? and m.id = ? and m.direction = 'outbound'`,
        tenant,
        input.message_id,
      )
    const named = await find()
    if (named === undefined)
      throw new ToolError('TOOL_RESOURCE_NOT_FOUND', `There is no message ${input.message_id}.`)
    const party = named.party as 'client' | 'vendor'
    const recipient = await lockRecipient(tx, { tenant, party, id: String(named.party_id) }, now)
    // Read again after the lock: another process may have sent or cancelled it meanwhile.
    const row = (await find()) ?? named
    const outreachId = row.outreach_id === null ? null : String(row.outreach_id)
    if (recipient.hasOptedOut || row.state === 'cancelled')
      throw new ToolError('TOOL_GATE_CLOSED', 'The message is not wanted any more.', {
        details: { source_code: 'CANCELLED' },
      })
    return admitMessage(tx, {
      tenant,
      now,
      recipient,
      outreachId,
      quiet: input.quiet,
      messageId: input.message_id,
      state: String(row.state),
      attempt: Number(row.attempt),
      providerMessageId: row.provider_message_id === null ? null : String(row.provider_message_id),
    })
  },
)

export const prepareQueuedMessage = defineTool({
  id: 'marketplace.prepare_queued_message',
  title: 'Prepare a queued message',
  category: 'marketplace',
  description: 'Part of the due work: checks whether a message that waited may be sent now.',
  version: '1.0.0',
  input: Input,
  output: Prepared,
  contract: { ...INTERNAL_WRITE, effect: 'writes.message' },
  examples: [
    {
      name: 'after the cooldown',
      input: { message_id: 'msg_queued', quiet: { hours: null, time_zone: 'Africa/Kigali' } },
    },
  ],
  transaction: transact(prepare, writeRequest<QueuedInput>('que')),
})
