import { defineTool, defineTransaction, ToolError, transact } from '@surehand/core'
import { z } from 'zod'
import { type WriteRequest, writeRequest } from '../contract.ts'
import { INTERNAL_WRITE } from '../internal-write.ts'
import { ATTENTION_KINDS, raiseAttention } from './raise-attention.ts'

const RaiseInput = z.object({
  kind: z.enum(ATTENTION_KINDS),
  subject: z.string(),
  reason: z.string().max(500),
  request_id: z.string().optional(),
  conversation_id: z.string().optional(),
  vendor_id: z.string().optional(),
  message_id: z.string().optional(),
})
type RaiseInput = z.output<typeof RaiseInput>

const raise = defineTransaction(
  'marketplace.ask_person',
  async (tx, { tenant, now, id, input }: WriteRequest<RaiseInput>) => {
    await raiseAttention(tx, {
      tenant,
      now,
      id,
      kind: input.kind,
      subject: input.subject,
      reason: input.reason,
      requestId: input.request_id,
      conversationId: input.conversation_id,
      vendorId: input.vendor_id,
      messageId: input.message_id,
    })
    const row = await tx.get(
      'select id from mk_attention where tenant = ? and kind = ? and subject = ?',
      tenant,
      input.kind,
      input.subject,
    )
    return { attention_id: String(row?.id ?? id) }
  },
)

/** Puts something before a person: what the marketplace cannot decide by itself. */
export const askPerson = defineTool({
  id: 'marketplace.ask_person',
  title: 'Put something before a person',
  category: 'marketplace',
  description:
    'Adds to the list that operators work through: replies that are unsure or belong to no request, voice notes, requests without vendors. The same subject is listed once.',
  version: '1.0.0',
  input: RaiseInput,
  output: z.object({ attention_id: z.string() }),
  contract: { ...INTERNAL_WRITE, effect: 'writes.attention' },
  examples: [
    {
      name: 'a voice note',
      input: {
        kind: 'voice_note',
        subject: 'wamid.voice-1',
        reason: 'The client sent a voice note.',
      },
    },
  ],
  transaction: transact(raise, writeRequest<RaiseInput>('att')),
})

const ResolveInput = z.object({ attention_id: z.string() })
type ResolveInput = z.output<typeof ResolveInput>

const resolve = defineTransaction(
  'marketplace.resolve_attention',
  async (tx, { tenant, principal, now, input }: WriteRequest<ResolveInput>) => {
    const { changes } = await tx.run(
      `update mk_attention set state = 'done', resolved_by = ?, resolved_at = ? where tenant = ? and id = ?`,
      principal,
      now,
      tenant,
      input.attention_id,
    )
    if (changes === 0)
      throw new ToolError('TOOL_RESOURCE_NOT_FOUND', `There is no entry ${input.attention_id}.`)
    return { attention_id: input.attention_id, state: 'done' as const }
  },
)

export const resolveAttention = defineTool({
  id: 'marketplace.resolve_attention',
  title: 'Mark something as looked at',
  category: 'marketplace',
  description: 'Takes an entry off the list that operators work through.',
  version: '1.0.0',
  input: ResolveInput,
  output: z.object({ attention_id: z.string(), state: z.literal('done') }),
  contract: { ...INTERNAL_WRITE, effect: 'writes.attention' },
  examples: [{ name: 'done', input: { attention_id: 'att_1' } }],
  transaction: transact(resolve, writeRequest<ResolveInput>('atr')),
})
