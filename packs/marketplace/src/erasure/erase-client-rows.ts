import { defineTool, defineTransaction, type Tx, transact } from '@surehand/core'
import { z } from 'zod'
import { type WriteRequest, writeRequest } from '../contract.ts'
import { INTERNAL_WRITE } from '../internal-write.ts'

const Input = z.object({ conversation_id: z.string().min(1).max(100) })
type EraseInput = z.output<typeof Input>

/** How many of each were deleted; all are 0 where there was nothing left. */
export const ErasedRows = z.object({ requests: z.int(), messages: z.int(), pictures: z.int() })

const REQUESTS = 'select id from mk_requests where tenant = ? and conversation_id = ?'
const CLIENT_MESSAGES =
  "select id from mk_messages where tenant = ? and party = 'client' and party_id = ?"

// In this order: what is found through requests and messages goes before them.
const STATEMENTS: readonly string[] = [
  `delete from mk_call_events where tenant = ? and provider_call_id in (select provider_call_id from mk_call_attempts where tenant = ? and conversation_id = ?)`,
  `delete from mk_call_attempts where tenant = ? and request_id in (${REQUESTS})`,
  `delete from mk_consents where tenant = ? and request_id in (${REQUESTS})`,
  `delete from mk_attention where tenant = ? and request_id in (${REQUESTS})`,
  `delete from mk_attention where tenant = ? and message_id in (${CLIENT_MESSAGES})`,
  `update mk_messages set body = null where tenant = ? and direction = 'inbound' and party = 'vendor'
    and provider_message_id in (select p.provider_message_id from mk_replies p join mk_requests r on r.tenant = p.tenant and r.id = p.request_id
      where p.tenant = ? and r.conversation_id = ?)`,
  `delete from mk_replies where tenant = ? and request_id in (${REQUESTS})`,
  `delete from mk_model_readings where tenant = ? and request_id in (${REQUESTS})`,
  `delete from mk_outreach where tenant = ? and request_id in (${REQUESTS})`,
  `delete from mk_request_states where tenant = ? and request_id in (${REQUESTS})`,
  `delete from mk_message_states where tenant = ? and provider_message_id in (select provider_message_id from mk_messages where tenant = ? and party = 'client' and party_id = ?)`,
  // What vendors were sent still counts for their limits, so its rows stay, without their text.
  `update mk_messages set body = null, options = null, data = null, error = null, content_hash = null, request_id = null,
    state = case when state = 'queued' then 'cancelled' else state end
    where tenant = ? and party = 'vendor' and request_id in (${REQUESTS})`,
  `delete from mk_opt_outs where tenant = ? and phone in (select phone from mk_conversations where tenant = ? and id = ?)`,
]

const erase = defineTransaction(
  'marketplace.erase_client_rows',
  async (tx, { tenant, input: { conversation_id: id } }: WriteRequest<EraseInput>) => {
    for (const statement of STATEMENTS) await tx.run(statement, tenant, tenant, id)
    const pictures = await remove(
      tx,
      `mk_ocr_jobs where tenant = ? and request_id in (${REQUESTS})`,
      [...[tenant, tenant, id]],
    )
    await remove(tx, 'mk_attention where tenant = ? and conversation_id = ?', [tenant, id])
    const messages = await remove(
      tx,
      "mk_messages where tenant = ? and party = 'client' and party_id = ?",
      [tenant, id],
    )
    const requests = await remove(tx, 'mk_requests where tenant = ? and conversation_id = ?', [
      ...[tenant, id],
    ])
    await remove(tx, 'mk_conversations where tenant = ? and id = ?', [tenant, id])
    return { requests, messages, pictures }
  },
)

async function remove(tx: Tx, from: string, values: readonly string[]): Promise<number> {
  return (await tx.run(`delete from ${from}`, ...values)).changes
}

export const eraseClientRows = defineTool({
  id: 'marketplace.erase_client_rows',
  title: 'Delete the rows of a client',
  category: 'marketplace',
  description:
    'Part of marketplace.erase_client: deletes everything that is stored about a client in the tables of the marketplace, together.',
  version: '1.0.0',
  input: Input,
  output: ErasedRows,
  contract: { ...INTERNAL_WRITE, effect: 'writes.client', reversible: false },
  examples: [{ name: 'a client', input: { conversation_id: 'cnv_3' } }],
  transaction: transact(erase, writeRequest<EraseInput>('era')),
})
