import { defineTool } from '@surehand/core'
import { z } from 'zod'
import { OPERATE } from '../contract.ts'
import { marketData, readerOf, textOf } from '../market-data.ts'
import { maskPhone } from '../phones.ts'
import { RequestState } from '../request/request.ts'

const Listed = z.object({
  request_id: z.string(),
  state: RequestState,
  need: z.string().nullable(),
  client: z.string(),
  conversation_id: z.string(),
  /** Who answers the client: the orchestrator, an operator, or nobody. */
  mode: z.string(),
  phone: z.string(),
  vendors_asked: z.int(),
  replies: z.int(),
  shortlisted: z.int(),
  created_at: z.string(),
  state_since: z.string(),
})
export type ListedRequest = z.output<typeof Listed>

export const listRequests = defineTool({
  id: 'marketplace.list_requests',
  title: 'List requests',
  category: 'marketplace',
  description:
    'The requests of clients, newest first, with their state and how many vendors were asked and answered. Phone numbers are masked. For operators.',
  version: '1.0.0',
  input: z.object({
    state: RequestState.optional(),
    limit: z.int().min(1).max(200).default(50),
    before: z.iso
      .datetime()
      .optional()
      .describe('Only requests that are older, for the next page.'),
  }),
  output: z.object({ requests: z.array(Listed) }),
  contract: { ...OPERATE, effect: 'read', timeout: '5s' },
  ports: { data: marketData },
  examples: [
    { name: 'all', input: {} },
    { name: 'those that wait', input: { state: 'awaiting_vendor_replies' } },
  ],
  execute: async ({ input, caller: { tenant }, ports, signal }) => {
    const rows = await readerOf(ports.data, signal)(
      `select r.id, r.state, r.requirements, r.shortlist, r.created_at, r.state_at, r.conversation_id, c.mode, c.name, c.phone,
        (select count(*) from mk_outreach o where o.tenant = r.tenant and o.request_id = r.id) as asked,
        (select count(*) from mk_outreach o where o.tenant = r.tenant and o.request_id = r.id and o.state = 'replied') as replied
        from mk_requests r left join mk_conversations c on c.tenant = r.tenant and c.id = r.conversation_id
        where r.tenant = ? and r.created_at < ?${input.state === undefined ? '' : ' and r.state = ?'}
        order by r.created_at desc, r.id desc limit ?`,
      tenant,
      input.before === undefined ? Number.MAX_SAFE_INTEGER : Date.parse(input.before),
      ...(input.state === undefined ? [] : [input.state]),
      input.limit,
    )
    return {
      requests: rows.map(
        (row): ListedRequest => ({
          request_id: String(row.id),
          state: row.state as RequestState,
          need: describeNeed(textOf(row.requirements)),
          client: textOf(row.name) ?? '',
          conversation_id: String(row.conversation_id),
          mode: textOf(row.mode) ?? '',
          phone: maskPhone(textOf(row.phone) ?? ''),
          vendors_asked: Number(row.asked),
          replies: Number(row.replied),
          shortlisted: (JSON.parse(textOf(row.shortlist) ?? '[]') as readonly unknown[]).length,
          created_at: new Date(Number(row.created_at)).toISOString(),
          state_since: new Date(Number(row.state_at)).toISOString(),
        }),
      ),
    }
  },
})

/** What the client needs, in one line. */
export function describeNeed(requirements: string | undefined): string | null {
  const { need, category } = JSON.parse(requirements ?? '{}') as Readonly<Record<string, unknown>>
  const first = [need, category].find((value) => typeof value === 'string' && value !== '')
  return typeof first === 'string' ? first : null
}
