import { defineTool, defineTransaction, transact } from '@surehand/core'
import { z } from 'zod'
import { type WriteRequest, writeRequest } from '../contract.ts'
import { INTERNAL_WRITE } from '../internal-write.ts'
import { recordState } from './store-request.ts'

const Input = z.object({
  conversation_id: z.string(),
  origin: z.enum(['client', 'operator']).default('client'),
})
type OpenInput = z.output<typeof Input>

const open = defineTransaction(
  'marketplace.open_request',
  async (tx, { tenant, actor, now, id, input }: WriteRequest<OpenInput>) => {
    // Two messages that arrive at once open one request: the second finds the first one's.
    await tx.run(
      'update mk_conversations set touched_at = ? where tenant = ? and id = ?',
      now,
      tenant,
      input.conversation_id,
    )
    const standing = await tx.get(
      `select id from mk_requests where tenant = ? and conversation_id = ? and state not in ('closed', 'handed_off') order by created_at desc limit 1`,
      tenant,
      input.conversation_id,
    )
    if (standing !== undefined) return { request_id: String(standing.id), is_new: false }
    await tx.run(
      `insert into mk_requests (tenant, id, conversation_id, state, origin, state_at, touched_at, created_at)
        values (?, ?, ?, 'collecting_requirements', ?, ?, ?, ?)`,
      tenant,
      id,
      input.conversation_id,
      input.origin,
      now,
      now,
      now,
    )
    await recordState(
      tx,
      { id, state: null },
      { tenant, actor, now, to: 'collecting_requirements', reason: 'the client wrote' },
    )
    return { request_id: id, is_new: true }
  },
)

export const openRequest = defineTool({
  id: 'marketplace.open_request',
  title: 'Open a request',
  category: 'marketplace',
  description:
    'Opens a request for a client, or returns the one that is open: a client has one open request at a time.',
  version: '1.0.0',
  input: Input,
  output: z.object({ request_id: z.string(), is_new: z.boolean() }),
  contract: { ...INTERNAL_WRITE, effect: 'writes.request' },
  examples: [{ name: 'a client', input: { conversation_id: 'cnv_2' } }],
  transaction: transact(open, writeRequest<OpenInput>('req')),
})
