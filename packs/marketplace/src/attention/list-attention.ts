import { defineTool } from '@surehand/core'
import { z } from 'zod'
import { OPERATE } from '../contract.ts'
import { marketData, readerOf, textOf } from '../market-data.ts'
import { maskPhones } from '../phones.ts'
import { ATTENTION_KINDS, type AttentionKind } from './raise-attention.ts'

export const listAttention = defineTool({
  id: 'marketplace.list_attention',
  title: 'What a person must look at',
  category: 'marketplace',
  description:
    'What the marketplace cannot decide by itself, oldest first: replies that are unsure or belong to no request, voice notes, pictures that could not be read, requests without vendors. Phone numbers are masked. For operators.',
  version: '1.0.0',
  input: z.object({
    state: z.enum(['open', 'done']).default('open'),
    kind: z.enum(ATTENTION_KINDS).optional(),
    limit: z.int().min(1).max(200).default(50),
  }),
  output: z.object({
    entries: z.array(
      z.object({
        attention_id: z.string(),
        kind: z.enum(ATTENTION_KINDS),
        reason: z.string(),
        /** The message that it is about. */
        message: z.string().nullable(),
        request_id: z.string().nullable(),
        conversation_id: z.string().nullable(),
        vendor_id: z.string().nullable(),
        provider_message_id: z.string().nullable(),
        created_at: z.string(),
      }),
    ),
  }),
  contract: { ...OPERATE, effect: 'read', timeout: '5s' },
  ports: { data: marketData },
  examples: [
    { name: 'what is open', input: {} },
    { name: 'voice notes', input: { kind: 'voice_note' } },
  ],
  execute: async ({ input, caller: { tenant }, ports, signal }) => {
    const rows = await readerOf(ports.data, signal)(
      `select a.*, m.body, m.provider_message_id from mk_attention a
        left join mk_messages m on m.tenant = a.tenant and (m.id = a.message_id or (a.message_id is null and m.provider_message_id = a.subject))
        where a.tenant = ? and a.state = ?${input.kind === undefined ? '' : ' and a.kind = ?'} order by a.created_at, a.id limit ?`,
      tenant,
      input.state,
      ...(input.kind === undefined ? [] : [input.kind]),
      input.limit,
    )
    return {
      entries: rows.map((row) => {
        const body = textOf(row.body)
        return {
          attention_id: String(row.id),
          kind: row.kind as AttentionKind,
          reason: String(row.reason),
          message: body === undefined ? null : maskPhones(body),
          request_id: textOf(row.request_id) ?? null,
          conversation_id: textOf(row.conversation_id) ?? null,
          vendor_id: textOf(row.vendor_id) ?? null,
          provider_message_id: textOf(row.provider_message_id) ?? null,
          created_at: new Date(Number(row.created_at)).toISOString(),
        }
      }),
    }
  },
})
