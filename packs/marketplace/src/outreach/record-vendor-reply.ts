import { defineTool, defineTransaction, ToolError, type Tx, transact } from '@surehand/core'
import { z } from 'zod'
import { raiseAttention } from '../attention/raise-attention.ts'
import { WRITE, type WriteRequest, writeRequest } from '../contract.ts'
import { OutreachState } from '../request/request.ts'
import { findReading, type StoredReading } from './find-reading.ts'
import { IS_GIVEN, moveOutreach, type StoredOutreach, toOutreach } from './store-outreach.ts'

const Input = z.object({
  request_id: z.string().min(1).max(100),
  vendor_id: z.string().min(1).max(100),
  message: z.string().max(4_096),
  provider_message_id: z.string().min(1).max(255),
  parsed_data: z
    .object({
      has_stock: z.boolean(),
      price: z.number().nonnegative().optional(),
      availability: z.string().max(300).optional(),
      notes: z.string().max(1_000).optional(),
    })
    .optional()
    .describe('What the reply says, where the agent has read it; otherwise it is read here.'),
})
type ReplyInput = z.output<typeof Input>

const recordReply = defineTransaction(
  'marketplace.record_vendor_reply',
  async (tx, request: WriteRequest<ReplyInput>) => {
    const { tenant, now, input } = request
    await tx.run(
      'update mk_vendors set touched_at = ?, last_inbound_at = ? where tenant = ? and id = ?',
      now,
      now,
      tenant,
      input.vendor_id,
    )
    const row = await tx.get(
      'select * from mk_outreach where tenant = ? and request_id = ? and vendor_id = ?',
      tenant,
      input.request_id,
      input.vendor_id,
    )
    if (row === undefined)
      throw new ToolError(
        'TOOL_RESOURCE_NOT_FOUND',
        `Vendor ${input.vendor_id} was not asked about request ${input.request_id}.`,
      )
    const outreach = toOutreach(row)
    const reading = await findReading(tx, request)
    const { changes } = await tx.run(
      `insert into mk_replies (tenant, provider_message_id, request_id, vendor_id, outreach_id, text, reading, at)
      values (?, ?, ?, ?, ?, ?, ?, ?) on conflict (tenant, provider_message_id) do nothing`,
      tenant,
      input.provider_message_id,
      input.request_id,
      input.vendor_id,
      outreach.id,
      input.message,
      JSON.stringify(reading),
      now,
    )
    const state = changes === 0 ? outreach.state : await applyReply(tx, request, outreach, reading)
    return { success: true, outreach_id: outreach.id, state }
  },
)

async function applyReply(
  tx: Tx,
  { tenant, now, id, input }: WriteRequest<ReplyInput>,
  outreach: StoredOutreach,
  reading: StoredReading,
): Promise<OutreachState> {
  const state = await markReached(tx, tenant, outreach, now)
  if (state === 'excluded' || state === 'queued' || state === 'failed') {
    await tx.run(
      'update mk_outreach set reply_text = ?, touched_at = ? where tenant = ? and id = ?',
      input.message,
      now,
      tenant,
      outreach.id,
    )
    // An excluded vendor is not waited for; any other reply that changes nothing needs a person.
    if (state !== 'excluded')
      await raiseAttention(tx, {
        ...{ tenant, now, id: `${id}-att`, kind: 'unsure_reply' },
        subject: input.provider_message_id,
        reason: 'A vendor answered although no message to it counts as sent.',
        requestId: input.request_id,
        vendorId: input.vendor_id,
      })
    return state
  }
  const first = await moveOutreach(
    tx,
    { tenant, id: outreach.id, now, to: 'replied' },
    { replied_at: now },
  )
  await tx.run(
    'update mk_outreach set reply_text = ?, reply_data = ?, touched_at = ? where tenant = ? and id = ?',
    input.message,
    JSON.stringify(await mergeReading(tx, tenant, outreach.id, reading, now)),
    now,
    tenant,
    outreach.id,
  )
  if (first) await updateReplyHours(tx, tenant, outreach.id, now)
  const isQuestion = reading.kind === 'question'
  if (reading.unsure || isQuestion)
    await raiseAttention(tx, {
      tenant,
      now,
      id: `${id}-att`,
      kind: 'unsure_reply',
      subject: input.provider_message_id,
      reason: isQuestion
        ? 'The vendor asks something before answering.'
        : 'It is not certain what this reply of a vendor says.',
      requestId: input.request_id,
      vendorId: input.vendor_id,
    })
  return 'replied'
}

// A reply proves that a message was sent whose outcome is not known yet.
async function markReached(
  tx: Tx,
  tenant: string,
  { id, state }: StoredOutreach,
  now: number,
): Promise<OutreachState> {
  if (state !== 'queued') return state
  const given = await tx.get(
    `select o.id from mk_outreach o where o.tenant = ? and o.id = ? and ${IS_GIVEN}`,
    tenant,
    id,
  )
  if (given === undefined) return state
  await moveOutreach(tx, { tenant, id, now, to: 'sent' }, { sent_at: now })
  return 'sent'
}

// "Yes" and a minute later "12k": a later message completes what an earlier one said.
async function mergeReading(
  tx: Tx,
  tenant: string,
  outreachId: string,
  reading: StoredReading,
  now: number,
): Promise<StoredReading> {
  const row = await tx.get(
    'select reply_data from mk_outreach where tenant = ? and id = ?',
    tenant,
    outreachId,
  )
  const before =
    typeof row?.reply_data === 'string'
      ? (JSON.parse(row.reply_data) as StoredReading & { readonly at?: number })
      : undefined
  if (before === undefined) return { ...reading, at: now } as StoredReading
  const said = Object.fromEntries(
    Object.entries(reading).filter(([, value]) => value !== null && value !== undefined),
  )
  return {
    ...before,
    ...said,
    has_stock: reading.has_stock ?? before.has_stock,
    unsure:
      reading.has_stock === null && reading.price === undefined ? before.unsure : reading.unsure,
    at: now,
  } as StoredReading
}

// A running mean, so that the score of a search follows how fast a vendor answers now.
async function updateReplyHours(
  tx: Tx,
  tenant: string,
  outreachId: string,
  now: number,
): Promise<void> {
  const row = await tx.get(
    `select o.sent_at, o.vendor_id, v.reply_hours from mk_outreach o join mk_vendors v on v.tenant = o.tenant and v.id = o.vendor_id
      where o.tenant = ? and o.id = ?`,
    tenant,
    outreachId,
  )
  if (row?.sent_at === null || row === undefined) return
  const hours = Math.max(0, (now - Number(row.sent_at)) / 3_600_000)
  const mean = row.reply_hours === null ? hours : 0.8 * Number(row.reply_hours) + 0.2 * hours
  await tx.run(
    'update mk_vendors set reply_hours = ? where tenant = ? and id = ?',
    mean,
    tenant,
    String(row.vendor_id),
  )
}

export const recordVendorReply = defineTool({
  id: 'marketplace.record_vendor_reply',
  title: 'Record what a vendor answered',
  category: 'marketplace',
  description:
    "Stores a vendor's reply to a request and what it says: whether the thing is in stock, its price and when it is available, in English, French, Kinyarwanda and Swahili. Replies that arrive by WhatsApp are recorded by themselves. A reply is recorded once by its provider_message_id.",
  version: '1.0.0',
  input: Input,
  output: z.object({ success: z.boolean(), outreach_id: z.string(), state: OutreachState }),
  contract: {
    ...WRITE,
    effect: 'writes.outreach',
    reversible: true,
    idempotency: ({ provider_message_id: id }) => `reply/${id}`,
    timeout: '5s',
  },
  requestId: ({ request_id: id }) => id,
  examples: [
    {
      name: 'in stock',
      input: {
        request_id: 'req_1',
        vendor_id: 'ven_asked',
        message: 'Ndayifite, 12k',
        provider_message_id: 'wamid.reply-1',
      },
    },
    {
      name: 'read by the agent',
      input: {
        request_id: 'req_1',
        vendor_id: 'ven_asked',
        message: 'We have it, come before six',
        provider_message_id: 'wamid.reply-2',
        parsed_data: { has_stock: true, price: 12_000, availability: 'today' },
      },
    },
  ],
  transaction: transact(recordReply, writeRequest<ReplyInput>('rep')),
})
