import { defineTool } from '@surehand/core'
import { z } from 'zod'
import { READ } from '../contract.ts'
import { marketData, type Reader, readerOf, textOf } from '../market-data.ts'
import { OcrResult, readLatestOcr } from '../ocr/ocr-result.ts'
import { maskPhones } from '../phones.ts'
import { MAX_SHORTLIST_ITEMS, OutreachSummary, RequestState, ShortlistItem } from './request.ts'
import { requireRequest } from './store-request.ts'

const MAX_MESSAGES = 20

export const getRequestSnapshot = defineTool({
  id: 'marketplace.get_request_snapshot',
  title: 'Look at a request',
  category: 'marketplace',
  description:
    "A client's request as it is now: its state, what is known of the need, the shortlist, how many vendors were asked and answered, the last messages with the client, and what was read from a picture. Phone numbers in messages are masked.",
  version: '1.0.0',
  input: z.object({ request_id: z.string().min(1).max(100) }),
  output: z.object({
    request_id: z.string(),
    conversation_id: z.string(),
    state: RequestState,
    requirements: z.record(z.string(), z.json()),
    shortlist: z.array(ShortlistItem).max(MAX_SHORTLIST_ITEMS),
    vendor_outreach_summary: OutreachSummary,
    last_messages: z
      .array(
        z.object({
          direction: z.enum(['inbound', 'outbound']),
          body: z.string().nullable(),
          timestamp: z.string(),
        }),
      )
      .max(MAX_MESSAGES),
    ocr: OcrResult.optional(),
  }),
  contract: { ...READ, effect: 'read', timeout: '5s', latencyBudget: '100ms' },
  requestId: ({ request_id: id }) => id,
  ports: { data: marketData },
  examples: [{ name: 'a request', input: { request_id: 'req_1' } }],
  execute: async ({ input, caller: { tenant }, ports, signal }) => {
    const read = readerOf(ports.data, signal)
    const request = await requireRequest(read, tenant, input.request_id)
    const ocr = await readLatestOcr(read, tenant, request.id)
    return {
      request_id: request.id,
      conversation_id: request.conversationId,
      state: request.state,
      requirements: request.requirements as Record<string, z.core.util.JSONType>,
      shortlist: request.shortlist.slice(0, MAX_SHORTLIST_ITEMS) as ShortlistItem[],
      vendor_outreach_summary: await summarizeOutreach(read, tenant, request.id),
      last_messages: await readLastMessages(read, tenant, request.conversationId),
      ...(ocr === undefined ? {} : { ocr }),
    }
  },
})

/** How many vendors were asked for a request, by state. */
export async function summarizeOutreach(
  read: Reader,
  tenant: string,
  requestId: string,
): Promise<OutreachSummary> {
  const rows = await read(
    'select state, count(*) as n from mk_outreach where tenant = ? and request_id = ? group by state',
    tenant,
    requestId,
  )
  const counts = new Map(rows.map(({ state, n }) => [String(state), Number(n)]))
  const count = (state: string): number => counts.get(state) ?? 0
  return {
    total_vendors: [...counts.values()].reduce((sum, n) => sum + n, 0),
    queued: count('queued'),
    sent: count('sent'),
    replied: count('replied'),
    no_response: count('no_response'),
    failed: count('failed'),
    excluded: count('excluded'),
  }
}

async function readLastMessages(read: Reader, tenant: string, conversationId: string) {
  const rows = await read(
    `select direction, body, at from mk_messages
      where tenant = ? and party = 'client' and party_id = ? and state not in ('queued', 'cancelled', 'refused')
      order by at desc, id desc limit ${MAX_MESSAGES}`,
    tenant,
    conversationId,
  )
  return rows.toReversed().map((row) => {
    const body = textOf(row.body)
    return {
      direction: row.direction as 'inbound' | 'outbound',
      body: body === undefined ? null : maskPhones(body),
      timestamp: new Date(Number(row.at)).toISOString(),
    }
  })
}
