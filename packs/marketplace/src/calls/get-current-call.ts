import { defineTool } from '@surehand/core'
import { z } from 'zod'
import { OPERATE } from '../contract.ts'
import { marketData, readerOf, textOf } from '../market-data.ts'
import { maskPhone } from '../phones.ts'
import { CallState } from '../request/request.ts'

const RECENT_MS = 3_600_000

export const getCurrentCall = defineTool({
  id: 'marketplace.get_current_call',
  title: 'The call that is going on',
  category: 'marketplace',
  description:
    "The newest call of the last hour with its state and the answer (SDP) of the client's phone, for the operator's page.",
  version: '1.0.0',
  input: z.object({}),
  output: z.object({
    call: z
      .object({
        id: z.string(),
        request_id: z.string(),
        phone: z.string(),
        state: CallState,
        answer_sdp: z.string().nullable(),
      })
      .nullable(),
  }),
  contract: { ...OPERATE, effect: 'read', timeout: '5s' },
  ports: { data: marketData },
  examples: [{ name: 'now', input: {} }],
  execute: async ({ caller: { tenant }, ports, now, signal }) => {
    const [row] = await readerOf(ports.data, signal)(
      `select a.id, a.request_id, a.state, a.answer_sdp, c.phone from mk_call_attempts a
        join mk_conversations c on c.tenant = a.tenant and c.id = a.conversation_id
        where a.tenant = ? and a.started_at > ? order by a.started_at desc limit 1`,
      tenant,
      now() - RECENT_MS,
    )
    if (row === undefined) return { call: null }
    return {
      call: {
        id: String(row.id),
        request_id: String(row.request_id),
        phone: maskPhone(String(row.phone)),
        state: row.state as CallState,
        answer_sdp: textOf(row.answer_sdp) ?? null,
      },
    }
  },
})
