import { defineTool } from '@surehand/core'
import type { Row } from '@surehand/core/internal'
import { z } from 'zod'
import { OPERATE } from '../contract.ts'
import { marketData, type Reader, readerOf, textOf } from '../market-data.ts'
import { maskPhone, maskPhones } from '../phones.ts'
import { RequestState } from '../request/request.ts'
import { requireRequest } from '../request/store-request.ts'
import { describeNeed } from './list-requests.ts'

const Entry = z.object({
  at: z.string(),
  kind: z.enum(['state', 'message', 'outreach', 'reply', 'consent', 'call', 'ocr', 'attention']),
  /** Who: the client, a vendor's name, or who changed it. */
  who: z.string(),
  what: z.string(),
  text: z.string().nullable(),
})
export type TimelineEntry = z.output<typeof Entry>

const Costs = z.object({
  /** Messages that WhatsApp charges for, by its categories. */
  billable_messages: z.record(z.string(), z.int()),
  free_messages: z.int(),
  calls_seconds: z.int(),
  pictures_read: z.int(),
})

/** More entries than any request of a person has; the oldest are left out. */
const MAX_ENTRIES = 500

export const requestTimeline = defineTool({
  id: 'marketplace.request_timeline',
  title: "A request's timeline",
  category: 'marketplace',
  description:
    'Everything that happened to a request, oldest first: states, messages with the client and the vendors, outreach, replies, consents, calls, pictures that were read, and what it cost. Phone numbers are masked. For operators.',
  version: '1.0.0',
  input: z.object({ request_id: z.string().min(1).max(100) }),
  output: z.object({
    request_id: z.string(),
    state: RequestState,
    need: z.string().nullable(),
    client: z.string(),
    phone: z.string(),
    entries: z.array(Entry),
    costs: Costs,
  }),
  contract: { ...OPERATE, effect: 'read', timeout: '5s' },
  requestId: ({ request_id: id }) => id,
  ports: { data: marketData },
  examples: [{ name: 'a request', input: { request_id: 'req_1' } }],
  execute: async ({ input, caller: { tenant }, ports, signal }) => {
    const read = readerOf(ports.data, signal)
    const request = await requireRequest(read, tenant, input.request_id)
    const [conversation] = await read(
      'select name, phone from mk_conversations where tenant = ? and id = ?',
      tenant,
      request.conversationId,
    )
    const entries = await readEntries(read, tenant, request.id)
    return {
      request_id: request.id,
      state: request.state,
      need: describeNeed(JSON.stringify(request.requirements)),
      client: textOf(conversation?.name) ?? '',
      phone: maskPhone(textOf(conversation?.phone) ?? ''),
      entries: entries
        .toSorted((left, right) => left.atMs - right.atMs)
        .slice(-MAX_ENTRIES)
        .map(({ atMs, ...entry }) => ({ at: new Date(atMs).toISOString(), ...entry })),
      costs: await readCosts(read, tenant, request.id),
    }
  },
})

type TimedEntry = Omit<TimelineEntry, 'at'> & { readonly atMs: number }

/** Where the entries of one kind are, and how a row becomes an entry. */
type Source = { readonly sql: string; readonly toEntry: (row: Row) => readonly TimedEntry[] }

const VENDOR_NAME =
  '(select v.name from mk_vendors v where v.tenant = x.tenant and v.id = x.vendor_id) as vendor'

const SOURCES: readonly Source[] = [
  {
    sql: 'select * from mk_request_states x where tenant = ? and request_id = ?',
    toEntry: (row) => [
      entry(
        row.at,
        'state',
        textOf(row.actor) ?? '',
        `${row.from_state ?? 'new'} → ${row.to_state}`,
        [row.reason, row.fallback_message],
      ),
    ],
  },
  {
    sql: `select x.*, (select v.name from mk_vendors v where v.tenant = x.tenant and v.id = x.party_id) as vendor
      from mk_messages x where x.tenant = ? and x.request_id = ?`,
    toEntry: (row) => [
      entry(
        row.at,
        'message',
        textOf(row.vendor) ?? 'client',
        row.direction === 'inbound' ? `received (${row.kind})` : `${row.state} (${row.kind})`,
        [row.body, row.error],
      ),
    ],
  },
  {
    sql: `select x.*, ${VENDOR_NAME} from mk_outreach x where x.tenant = ? and x.request_id = ?`,
    toEntry: (row) => [
      entry(row.created_at, 'outreach', textOf(row.vendor) ?? '', `now ${row.state}`, [
        row.excluded_reason,
      ]),
    ],
  },
  {
    sql: `select x.*, ${VENDOR_NAME} from mk_replies x where x.tenant = ? and x.request_id = ?`,
    toEntry: (row) => [
      entry(row.at, 'reply', textOf(row.vendor) ?? '', describeReading(textOf(row.reading)), [
        row.text,
      ]),
    ],
  },
  {
    sql: 'select * from mk_consents x where tenant = ? and request_id = ?',
    toEntry: (row) => [
      entry(row.requested_at, 'consent', 'client', `asked for ${row.scope}`, [row.reason]),
      ...(row.decided_at === null
        ? []
        : [
            entry(
              row.decided_at,
              'consent',
              textOf(row.decided_by) ?? 'client',
              `now ${row.state}`,
            ),
          ]),
    ],
  },
  {
    sql: 'select * from mk_call_attempts x where tenant = ? and request_id = ?',
    toEntry: (row) => [
      entry(row.started_at, 'call', 'client', 'placed'),
      ...(row.answered_at === null ? [] : [entry(row.answered_at, 'call', 'client', 'answered')]),
      ...(row.ended_at === null
        ? []
        : [entry(row.ended_at, 'call', 'client', String(row.state), [row.error])]),
    ],
  },
  {
    sql: 'select * from mk_ocr_jobs x where tenant = ? and request_id = ?',
    toEntry: (row) => [
      entry(row.created_at, 'ocr', 'client', `picture: ${row.status}`, [
        row.confidence === null ? null : `confidence ${Number(row.confidence).toFixed(2)}`,
        row.error,
      ]),
    ],
  },
  {
    sql: 'select * from mk_attention x where tenant = ? and request_id = ?',
    toEntry: (row) => [
      entry(
        row.created_at,
        'attention',
        textOf(row.resolved_by) ?? 'operator',
        `${row.kind}: ${row.state}`,
        [row.reason],
      ),
    ],
  },
]

async function readEntries(
  read: Reader,
  tenant: string,
  requestId: string,
): Promise<readonly TimedEntry[]> {
  const all = await Promise.all(
    SOURCES.map(async ({ sql, toEntry }) => (await read(sql, tenant, requestId)).flatMap(toEntry)),
  )
  return all.flat()
}

function entry(
  at: Row[string] | undefined,
  kind: TimelineEntry['kind'],
  who: string,
  what: string,
  texts: readonly (Row[string] | undefined)[] = [],
): TimedEntry {
  const text = texts.flatMap((one) => textOf(one) ?? []).join(' · ')
  return { atMs: Number(at), kind, who, what, text: text === '' ? null : maskPhones(text) }
}

/** What was understood of a reply, in a few words. */
function describeReading(reading: string | undefined): string {
  const read = JSON.parse(reading ?? '{}') as Readonly<Record<string, unknown>>
  const stock = read.has_stock
  const none = read.availability === undefined ? 'does not have it' : 'will have it'
  const known = stock === true ? 'has it' : stock === false ? none : 'unclear'
  const price = typeof read.price === 'number' ? [`${read.price} RWF`] : []
  const when = typeof read.availability === 'string' ? [read.availability] : []
  const by = typeof read.read_by === 'string' ? [`read ${read.read_by}`] : []
  return [known, ...price, ...when, ...by].join(', ')
}

async function readCosts(
  read: Reader,
  tenant: string,
  requestId: string,
): Promise<z.output<typeof Costs>> {
  const priced = await read(
    `select m.id, max(s.pricing) as pricing from mk_messages m
      join mk_message_states s on s.tenant = m.tenant and s.provider_message_id = m.provider_message_id
      where m.tenant = ? and m.request_id = ? and m.direction = 'outbound' and s.pricing is not null group by m.id`,
    tenant,
    requestId,
  )
  const billable: Record<string, number> = {}
  let free = 0
  for (const row of priced) {
    const pricing = JSON.parse(textOf(row.pricing) ?? '{}') as Readonly<Record<string, unknown>>
    const category = typeof pricing.category === 'string' ? pricing.category : 'other'
    if (pricing.billable === true) billable[category] = (billable[category] ?? 0) + 1
    else free += 1
  }
  const calls = await read(
    'select answered_at, ended_at from mk_call_attempts where tenant = ? and request_id = ? and answered_at is not null and ended_at is not null',
    tenant,
    requestId,
  )
  const [pictures] = await read(
    "select count(*) as n from mk_ocr_jobs where tenant = ? and request_id = ? and status = 'completed'",
    tenant,
    requestId,
  )
  const callMs = calls.reduce((sum, row) => sum + Number(row.ended_at) - Number(row.answered_at), 0)
  return {
    billable_messages: billable,
    free_messages: free,
    calls_seconds: Math.round(callMs / 1_000),
    pictures_read: Number(pictures?.n ?? 0),
  }
}
