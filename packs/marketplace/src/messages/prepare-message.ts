import { defineTool, defineTransaction, type Tx, transact } from '@surehand/core'
import { z } from 'zod'
import { OPERATE, type WriteRequest, writeRequest } from '../contract.ts'
import { ensureOutreach } from '../outreach/store-outreach.ts'
import { maskPhones, withoutNumbers } from '../phones.ts'
import { refuse } from '../refuse.ts'
import { lockRequest, type StoredRequest } from '../request/store-request.ts'
import { contentHash } from './content-hash.ts'
import { limitClientMessages, nextVendorMessageAt } from './message-limits.ts'
import { endOfQuietHours } from './quiet-hours.ts'
import { lockRecipient, type Recipient } from './recipient.ts'

/** When vendors get no messages; null: they get them at any time. */
export const Quiet = z.object({
  hours: z.object({ from: z.string(), to: z.string() }).nullable(),
  time_zone: z.string(),
})

const Input = z.object({
  request_id: z.string(),
  party: z.enum(['client', 'vendor']),
  vendor_id: z.string().optional(),
  kind: z.enum(['text', 'interactive', 'call_permission']),
  text: z.string().min(1).max(4_096),
  options: z.array(z.string()).max(10).optional(),
  about: z.string().optional(),
  by: z.enum(['user', 'ai_agent', 'system']),
  quiet: Quiet,
})
export type MessageToPrepare = z.output<typeof Input>

export const Prepared = z.object({
  /** `ready`: it may be given to the provider now. */
  status: z.enum(['ready', 'queued', 'sent']),
  message_id: z.string(),
  outreach_id: z.string().nullable(),
  provider_message_id: z.string().nullable(),
  send_after: z.int().nullable(),
})
export type Prepared = z.output<typeof Prepared>

const prepare = defineTransaction(
  'marketplace.prepare_message',
  async (tx, request: WriteRequest<MessageToPrepare>): Promise<Prepared> => {
    const { tenant, now, id, input } = request
    const about = await lockRequest(tx, { tenant, id: input.request_id, now })
    const recipient = await lockRecipient(tx, recipientName(tenant, about, input), now)
    await requireReachable(tx, { tenant, about, recipient, by: input.by })
    const outreachId =
      input.party === 'vendor'
        ? await ensureOutreach(tx, {
            tenant,
            now,
            id: `${id}-out`,
            requestId: about.id,
            vendorId: recipient.id,
          })
        : null
    const message = await findOrInsert(tx, request, recipient)
    return admitMessage(tx, { ...message, tenant, now, recipient, outreachId, quiet: input.quiet })
  },
)

type Standing = {
  readonly messageId: string
  readonly state: string
  readonly attempt: number
  readonly providerMessageId: string | null
}

/** Sends a message now, or queues it until its recipient may get it. The recipient is locked. */
export async function admitMessage(
  tx: Tx,
  message: Standing & {
    readonly tenant: string
    readonly now: number
    readonly recipient: Recipient
    readonly outreachId: string | null
    readonly quiet: z.output<typeof Quiet>
  },
): Promise<Prepared> {
  const { tenant, now, recipient, messageId, state, attempt, quiet } = message
  const answer = {
    message_id: messageId,
    outreach_id: message.outreachId,
    provider_message_id: message.providerMessageId,
    send_after: null,
  }
  if (message.providerMessageId !== null) return { ...answer, status: 'sent' }
  // It was given to the provider, perhaps: the key of its delivery says what became of it.
  if (state === 'sending' || state === 'unknown') return { ...answer, status: 'ready' }
  const party = { tenant, partyId: recipient.id, now }
  if (recipient.party === 'client') await limitClientMessages(tx, party, messageId)
  const free = recipient.party === 'client' ? now : await nextVendorMessageAt(tx, party, messageId)
  const sendAfter =
    recipient.party === 'client' || quiet.hours === null
      ? free
      : endOfQuietHours(free, quiet.hours, quiet.time_zone)
  const isQueued = sendAfter > now
  await tx.run(
    `update mk_messages set state = ?, send_after = ?, attempt = ?, at = ?, updated_at = ?, error = null where tenant = ? and id = ?`,
    isQueued ? 'queued' : 'sending',
    isQueued ? sendAfter : null,
    isQueued ? attempt : attempt + 1,
    now,
    now,
    tenant,
    messageId,
  )
  if (isQueued) return { ...answer, status: 'queued', send_after: sendAfter }
  if (recipient.party === 'vendor')
    await tx.run(
      'update mk_vendors set last_outbound_at = ? where tenant = ? and id = ?',
      now,
      tenant,
      recipient.id,
    )
  return { ...answer, status: 'ready' }
}

function recipientName(tenant: string, about: StoredRequest, input: MessageToPrepare) {
  return input.party === 'vendor'
    ? { tenant, party: 'vendor' as const, id: input.vendor_id ?? '' }
    : { tenant, party: 'client' as const, id: about.conversationId }
}

async function requireReachable(
  tx: Tx,
  {
    tenant,
    about,
    recipient,
    by,
  }: {
    readonly tenant: string
    readonly about: StoredRequest
    readonly recipient: Recipient
    readonly by: MessageToPrepare['by']
  },
): Promise<void> {
  if (recipient.hasOptedOut)
    throw recipient.party === 'vendor'
      ? refuse('VENDOR_OPTED_OUT', 'This vendor does not want messages. Ask another vendor.')
      : refuse('CLIENT_OPTED_OUT', 'This client does not want messages; nothing was sent.')
  if (!recipient.isActive)
    throw refuse('VENDOR_INACTIVE', 'This vendor is not active. Ask another vendor.')
  if (recipient.party === 'vendor' && (about.state === 'closed' || about.state === 'error'))
    throw refuse('INVALID_STATE', `The request is ${about.state}: vendors are no longer asked.`, {
      state: about.state,
    })
  if (by === 'user') return
  const conversation = await tx.get(
    'select mode from mk_conversations where tenant = ? and id = ?',
    tenant,
    about.conversationId,
  )
  if (conversation?.mode !== 'auto')
    throw refuse(
      'CONVERSATION_TAKEN_OVER',
      'An operator has taken over this conversation. Nothing was sent; wait until it is handed back.',
      { mode: conversation?.mode },
    )
}

async function findOrInsert(
  tx: Tx,
  { tenant, now, id, input }: WriteRequest<MessageToPrepare>,
  recipient: Recipient,
): Promise<Standing> {
  const { text, options, about, party, kind } = input
  const hash = contentHash({
    recipient: party === 'vendor' ? recipient.id : 'client',
    type: kind === 'interactive' ? 'interactive' : 'text',
    text,
    options,
    about,
  })
  const found = await tx.get(
    `select id, state, attempt, provider_message_id from mk_messages
      where tenant = ? and request_id = ? and content_hash = ? and direction = 'outbound'`,
    tenant,
    input.request_id,
    hash,
  )
  if (found !== undefined)
    return {
      messageId: String(found.id),
      state: String(found.state),
      attempt: Number(found.attempt),
      providerMessageId:
        found.provider_message_id === null ? null : String(found.provider_message_id),
    }
  const body = party === 'vendor' ? await hideClientPhone(tx, tenant, input) : text
  await tx.run(
    `insert into mk_messages (tenant, id, party, party_id, request_id, direction, kind, body, options, content_hash, sent_by, state, attempt, at, updated_at)
      values (?, ?, ?, ?, ?, 'outbound', ?, ?, ?, ?, ?, 'new', 0, ?, ?)`,
    tenant,
    id,
    party,
    recipient.id,
    input.request_id,
    kind,
    body,
    options === undefined ? null : JSON.stringify(options),
    hash,
    input.by,
    now,
    now,
  )
  return { messageId: id, state: 'new', attempt: 0, providerMessageId: null }
}

// Also in texts of agents and operators: no phone number of a client ever reaches a vendor.
async function hideClientPhone(
  tx: Tx,
  tenant: string,
  { request_id: requestId, text }: MessageToPrepare,
): Promise<string> {
  const client = await tx.get(
    `select c.phone from mk_requests r join mk_conversations c on c.tenant = r.tenant and c.id = r.conversation_id
      where r.tenant = ? and r.id = ?`,
    tenant,
    requestId,
  )
  return maskPhones(withoutNumbers(text, client === undefined ? [] : [String(client.phone)]))
}

export const prepareMessage = defineTool({
  id: 'marketplace.prepare_message',
  title: 'Prepare a message',
  category: 'marketplace',
  description:
    'Part of sending: checks limits, cooldown, quiet hours and opt-outs, and stores the message. Operators send with marketplace.send_client_message and marketplace.send_vendor_message.',
  version: '1.0.0',
  input: Input,
  output: Prepared,
  contract: {
    ...OPERATE,
    effect: 'writes.message',
    reversible: true,
    idempotency: 'caller',
    timeout: '5s',
  },
  requestId: ({ request_id: id }) => id,
  examples: [
    {
      name: 'to the client',
      input: {
        request_id: 'req_1',
        party: 'client',
        kind: 'text',
        text: 'Which dose do you need?',
        by: 'system',
        quiet: { hours: null, time_zone: 'Africa/Kigali' },
      },
    },
    {
      name: 'to a vendor',
      input: {
        request_id: 'req_1',
        party: 'vendor',
        vendor_id: 'ven_1',
        kind: 'text',
        text: 'Do you have amoxicillin 500 mg?',
        by: 'system',
        quiet: { hours: { from: '21:00', to: '07:00' }, time_zone: 'Africa/Kigali' },
      },
    },
  ],
  transaction: transact(prepare, writeRequest<MessageToPrepare>('msg')),
})
