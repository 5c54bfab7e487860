import { defineTool, defineTransaction, type Tx, transact } from '@surehand/core'
import { z } from 'zod'
import { OPERATE, type WriteRequest, writeRequest } from '../contract.ts'
import { plainWords } from './plain-words.ts'

const Input = z.object({
  id: z.string(),
  from: z.string(),
  at: z.int(),
  name: z.string().optional(),
  type: z.string(),
  text: z.string().optional(),
  reply_to: z.string().optional(),
  media_id: z.string().optional(),
  media_type: z.string().optional(),
  data: z.string().optional(),
  language: z.enum(['en', 'fr', 'rw']).optional(),
})
type InboundInput = z.output<typeof Input>

export const Inbound = z.object({
  message_id: z.string(),
  is_new: z.boolean(),
  party: z.enum(['client', 'vendor']),
  party_id: z.string(),
  is_stop: z.boolean(),
  /** Requests whose outreach ended because the vendor opted out. */
  affected_requests: z.array(z.string()),
})
export type Inbound = z.output<typeof Inbound>

const store = defineTransaction(
  'marketplace.store_inbound',
  async (tx, request: WriteRequest<InboundInput>): Promise<Inbound> => {
    const { tenant, now, id, input } = request
    const vendor = await tx.get(
      'select id from mk_vendors where tenant = ? and phone = ?',
      tenant,
      input.from,
    )
    const party = vendor === undefined ? 'client' : 'vendor'
    const partyId = vendor === undefined ? await touchConversation(tx, request) : String(vendor.id)
    if (party === 'vendor')
      await tx.run(
        `update mk_vendors set touched_at = ?, last_inbound_at = case when coalesce(last_inbound_at, 0) < ? then ? else last_inbound_at end
          where tenant = ? and id = ?`,
        now,
        input.at,
        input.at,
        tenant,
        partyId,
      )
    const standing = await tx.get(
      'select id from mk_messages where tenant = ? and provider_message_id = ?',
      tenant,
      input.id,
    )
    const isStop = isStopMessage(input.text ?? '')
    const answer = { party, party_id: partyId, is_stop: isStop } as const
    if (standing !== undefined)
      return {
        ...answer,
        message_id: String(standing.id),
        is_new: false,
        affected_requests: [],
      }
    await insertMessage(tx, request, party, partyId)
    const affected = await applyOptOut(tx, request, { party, partyId, isStop })
    return { ...answer, message_id: id, is_new: true, affected_requests: [...affected] }
  },
)

async function touchConversation(
  tx: Tx,
  { tenant, now, id, input }: WriteRequest<InboundInput>,
): Promise<string> {
  await tx.run(
    `insert into mk_conversations (tenant, id, phone, name, language, touched_at, created_at) values (?, ?, ?, ?, ?, ?, ?)
      on conflict (tenant, phone) do update set touched_at = excluded.touched_at, name = coalesce(excluded.name, mk_conversations.name),
        language = coalesce(excluded.language, mk_conversations.language)`,
    tenant,
    `${id}-con`,
    input.from,
    input.name ?? null,
    input.language ?? null,
    now,
    now,
  )
  const row = await tx.get(
    'select id from mk_conversations where tenant = ? and phone = ?',
    tenant,
    input.from,
  )
  const conversationId = String(row?.id)
  await tx.run(
    `update mk_conversations set last_inbound_at = case when coalesce(last_inbound_at, 0) < ? then ? else last_inbound_at end
      where tenant = ? and id = ?`,
    input.at,
    input.at,
    tenant,
    conversationId,
  )
  return conversationId
}

async function insertMessage(
  tx: Tx,
  { tenant, now, id, input }: WriteRequest<InboundInput>,
  party: 'client' | 'vendor',
  partyId: string,
): Promise<void> {
  await tx.run(
    `insert into mk_messages (tenant, id, party, party_id, direction, kind, body, provider_message_id, reply_to, media_id, media_type, data, state, at, updated_at)
      values (?, ?, ?, ?, 'inbound', ?, ?, ?, ?, ?, ?, ?, 'received', ?, ?)`,
    tenant,
    id,
    party,
    partyId,
    input.type,
    input.text ?? null,
    input.id,
    input.reply_to ?? null,
    input.media_id ?? null,
    input.media_type ?? null,
    input.data ?? null,
    input.at,
    now,
  )
}

/**
 * A vendor's opt-out is for ever. A client who writes again after STOP wants an answer, so the
 * opt-out of a client ends with the next message.
 */
async function applyOptOut(
  tx: Tx,
  { tenant, now, input }: WriteRequest<InboundInput>,
  {
    party,
    partyId,
    isStop,
  }: { readonly party: 'client' | 'vendor'; readonly partyId: string; readonly isStop: boolean },
): Promise<readonly string[]> {
  const table = party === 'vendor' ? 'mk_vendors' : 'mk_conversations'
  if (!isStop) {
    if (party === 'client') {
      await tx.run(
        'update mk_conversations set opted_out_at = null where tenant = ? and id = ?',
        tenant,
        partyId,
      )
      await tx.run('delete from mk_opt_outs where tenant = ? and phone = ?', tenant, input.from)
    }
    return []
  }
  await tx.run(
    'insert into mk_opt_outs (tenant, phone, words, at) values (?, ?, ?, ?) on conflict (tenant, phone) do nothing',
    tenant,
    input.from,
    input.text ?? '',
    input.at,
  )
  await tx.run(
    `update ${table} set opted_out_at = coalesce(opted_out_at, ?) where tenant = ? and id = ?`,
    input.at,
    tenant,
    partyId,
  )
  return party === 'vendor' ? endVendorOutreach(tx, tenant, partyId, now) : []
}

async function endVendorOutreach(
  tx: Tx,
  tenant: string,
  vendorId: string,
  now: number,
): Promise<readonly string[]> {
  const open = await tx.all(
    `select request_id from mk_outreach where tenant = ? and vendor_id = ? and state in ('queued', 'sent')`,
    tenant,
    vendorId,
  )
  await tx.run(
    `update mk_outreach set state = 'excluded', excluded_reason = 'the vendor opted out', touched_at = ?
      where tenant = ? and vendor_id = ? and state in ('queued', 'sent')`,
    now,
    tenant,
    vendorId,
  )
  await tx.run(
    `update mk_messages set state = 'cancelled', updated_at = ? where tenant = ? and party = 'vendor' and party_id = ? and direction = 'outbound' and state = 'queued'`,
    now,
    tenant,
    vendorId,
  )
  return open.map(({ request_id: id }) => String(id))
}

export const storeInbound = defineTool({
  id: 'marketplace.store_inbound',
  title: 'Store a message that arrived',
  category: 'marketplace',
  description:
    'Part of the webhook: stores a message of a client or a vendor once, and obeys STOP at the same moment.',
  version: '1.0.0',
  input: Input,
  output: Inbound,
  contract: {
    ...OPERATE,
    effect: 'writes.message',
    reversible: true,
    idempotency: 'caller',
    timeout: '5s',
  },
  examples: [
    {
      name: 'a client writes',
      input: {
        id: 'wamid.in-1',
        from: '250788555001',
        at: 1_768_464_000_000,
        type: 'text',
        text: 'I need amoxicillin near Kimironko',
        language: 'en',
      },
    },
    {
      name: 'a vendor wants no more',
      input: {
        id: 'wamid.in-2',
        from: '250788100001',
        at: 1_768_464_000_000,
        type: 'text',
        text: 'STOP',
      },
    },
  ],
  transaction: transact(store, writeRequest<InboundInput>('msg')),
})

// What WhatsApp users write to be left alone. Whole messages only: "we stop at six" is no opt-out.
const STOP = new Set([
  'stop',
  'stop all',
  'unsubscribe',
  'remove me',
  'opt out',
  'stop messages',
  'do not message me',
  "don't message me",
  'arret',
  'arreter',
  'arretez',
  'stopper',
  'desabonner',
  'desinscrire',
  'ne m ecrivez plus',
  "ne m'ecrivez plus",
  'hagarika',
  'muhagarike',
  'mundeke',
  'ntimunyandikire',
  'ntimuzongere kunyandikira',
  'acha',
])

/** Does this whole message ask us to stop writing? */
export function isStopMessage(text: string): boolean {
  return STOP.has(plainWords(text))
}
