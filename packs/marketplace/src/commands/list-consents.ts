import { defineTool } from '@surehand/core'
import { z } from 'zod'
import { OPERATE } from '../contract.ts'
import { marketData, numberOf, readerOf, textOf } from '../market-data.ts'
import { maskPhone } from '../phones.ts'
import { ConsentState } from '../request/request.ts'

const Listed = z.object({
  consent_id: z.string(),
  request_id: z.string(),
  client: z.string(),
  phone: z.string(),
  scope: z.string(),
  state: ConsentState,
  reason: z.string(),
  requested_at: z.string(),
  decided_at: z.string().nullable(),
  expires_at: z.string().nullable(),
  calls: z.int(),
})
export type ListedConsent = z.output<typeof Listed>

export const listConsents = defineTool({
  id: 'marketplace.list_consents',
  title: 'List consents',
  category: 'marketplace',
  description:
    "Clients' permissions to be called, newest first: who was asked for what, what they decided, until when it holds, and how many calls were placed with it. For operators.",
  version: '1.0.0',
  input: z.object({
    request_id: z.string().min(1).max(100).optional(),
    state: ConsentState.optional(),
    limit: z.int().min(1).max(200).default(50),
  }),
  output: z.object({ consents: z.array(Listed) }),
  contract: { ...OPERATE, effect: 'read', timeout: '5s' },
  ports: { data: marketData },
  examples: [
    { name: 'all', input: {} },
    { name: 'those that hold', input: { state: 'granted' } },
  ],
  execute: async ({ input, caller: { tenant }, ports, signal, now }) => {
    const { request_id: requestId, state, limit } = input
    const rows = await readerOf(ports.data, signal)(
      `select x.*, c.name, c.phone,
        (select count(*) from mk_call_attempts a where a.tenant = x.tenant and a.consent_id = x.id) as calls
        from mk_consents x
        left join mk_requests r on r.tenant = x.tenant and r.id = x.request_id
        left join mk_conversations c on c.tenant = x.tenant and c.id = r.conversation_id
        where x.tenant = ?${requestId === undefined ? '' : ' and x.request_id = ?'}
        order by x.requested_at desc, x.id desc`,
      tenant,
      ...(requestId === undefined ? [] : [requestId]),
    )
    const nowMs = now()
    const consents = rows.map((row): ListedConsent => {
      const expires = numberOf(row.expires_at)
      // A grant whose time is over has expired, although nobody has used it since.
      const isOver = row.state === 'granted' && expires !== undefined && expires <= nowMs
      return {
        consent_id: String(row.id),
        request_id: String(row.request_id),
        client: textOf(row.name) ?? '',
        phone: maskPhone(textOf(row.phone) ?? ''),
        scope: String(row.scope),
        state: isOver ? 'expired' : (row.state as ConsentState),
        reason: String(row.reason),
        requested_at: timeOf(row.requested_at) ?? '',
        decided_at: timeOf(row.decided_at),
        expires_at: timeOf(row.expires_at),
        calls: Number(row.calls),
      }
    })
    return {
      consents: consents
        .filter((one) => state === undefined || one.state === state)
        .slice(0, limit),
    }
  },
})

function timeOf(value: Parameters<typeof numberOf>[0]): string | null {
  const atMs = numberOf(value)
  return atMs === undefined ? null : new Date(atMs).toISOString()
}
