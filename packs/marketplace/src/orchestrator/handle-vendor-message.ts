import { callTool, type MarketWork } from '../engine/market-context.ts'
import { textOf } from '../market-data.ts'
import type { MessageEvent } from '../messages/market-event.ts'
import type { Inbound } from '../messages/store-inbound.ts'
import { IS_GIVEN } from '../outreach/store-outreach.ts'
import { askReplyModel } from '../replies/model/ask-reply-model.ts'
import { advanceRequest } from './advance-request.ts'
import { askPerson } from './client-request.ts'

/** Records a vendor's reply with the request it belongs to, or leaves that to a person. */
export async function handleVendorMessage(
  work: MarketWork,
  event: MessageEvent,
  inbound: Inbound,
): Promise<string> {
  if (inbound.is_stop) return 'the vendor gets no more messages'
  const vendorId = inbound.party_id
  const about = { vendor_id: vendorId, message_id: inbound.message_id }
  if (event.text === undefined || event.text.trim() === '') {
    await askPerson(work, {
      ...about,
      kind: event.type === 'audio' ? 'voice_note' : 'unsupported_message',
      subject: event.id,
      reason:
        event.type === 'audio'
          ? 'A vendor sent a voice note.'
          : `A vendor sent a message of the type ${event.type}.`,
    })
    return 'a person looks at the reply'
  }
  const requestId = await findRequestOfReply(work, vendorId, event.reply_to)
  if (requestId === undefined) {
    await askPerson(work, {
      ...about,
      kind: 'unmatched_reply',
      subject: event.id,
      reason: 'It is not certain which request this message of a vendor belongs to.',
    })
    return 'a person assigns the reply'
  }
  const text = event.text.slice(0, 4_096)
  await askReplyModel(work, { requestId, vendorId, messageId: event.id, text })
  const outcome = await callTool(work, {
    tool: 'marketplace.record_vendor_reply',
    input: {
      request_id: requestId,
      vendor_id: vendorId,
      message: text,
      provider_message_id: event.id,
    },
  })
  if (outcome.status === 'failed') throw outcome.error
  await advanceRequest(work, requestId)
  return 'the reply is recorded'
}

/**
 * Which request a vendor's message belongs to: the message that it quotes, else the only request
 * about which the vendor was asked and which is still open. A reply may arrive before the answer to
 * the question's own sending is recorded, so a message that may have been sent counts as asked.
 */
export async function findRequestOfReply(
  { read, tenant }: MarketWork,
  vendorId: string,
  quotedId: string | undefined,
): Promise<string | undefined> {
  if (quotedId !== undefined) {
    const [quoted] = await read(
      `select request_id from mk_messages where tenant = ? and provider_message_id = ? and party = 'vendor' and party_id = ?`,
      tenant,
      quotedId,
      vendorId,
    )
    const requestId = textOf(quoted?.request_id)
    if (requestId !== undefined) return requestId
  }
  const open = await read(
    `select o.request_id from mk_outreach o join mk_requests r on r.tenant = o.tenant and r.id = o.request_id
      where o.tenant = ? and o.vendor_id = ? and (o.state in ('sent', 'replied', 'no_response') or (o.state = 'queued' and ${IS_GIVEN}))
      and r.state in ('vendor_outreach', 'awaiting_vendor_replies', 'shortlist_ready') limit 2`,
    tenant,
    vendorId,
  )
  return open.length === 1 ? textOf(open[0]?.request_id) : undefined
}
