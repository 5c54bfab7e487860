import { recordSent } from '../engine/dispatch-message.ts'
import { type MarketWork, runTool } from '../engine/market-context.ts'
import { readCallback } from '../messages/deliver-message.ts'
import {
  type CallEvent,
  MarketEvent,
  type MessageEvent,
  type StatusEvent,
} from '../messages/market-event.ts'
import type { Inbound } from '../messages/store-inbound.ts'
import { foldReply } from '../replies/fold-reply.ts'
import { detectReplyLanguage } from '../replies/language-of-reply.ts'
import { advanceRequest } from './advance-request.ts'
import { handleClientMessage } from './handle-client-message.ts'
import { handleVendorMessage } from './handle-vendor-message.ts'
import type { Language } from './texts.ts'

/** Stores what WhatsApp reported, then does what follows from it. Each step can be repeated. */
export async function handleEvent(
  work: MarketWork,
  given: unknown,
): Promise<{ readonly done: string }> {
  const event = MarketEvent.parse(given)
  switch (event.kind) {
    case 'message':
      return { done: await handleMessage(work, event) }
    case 'status':
      return { done: await handleStatus(work, event) }
    case 'call':
      return { done: await handleCall(work, event) }
  }
}

async function handleMessage(work: MarketWork, event: MessageEvent): Promise<string> {
  const language = detectLanguage(event.text ?? '')
  const inbound = await runTool<Inbound>(work, {
    tool: 'marketplace.store_inbound',
    input: {
      id: event.id,
      from: event.from,
      at: event.at,
      type: event.type,
      ...(event.name === undefined ? {} : { name: event.name }),
      ...(event.text === undefined ? {} : { text: event.text }),
      ...(event.reply_to === undefined ? {} : { reply_to: event.reply_to }),
      ...(event.media === undefined
        ? {}
        : { media_id: event.media.id, media_type: event.media.type }),
      ...(event.location === undefined ? {} : { data: JSON.stringify(event.location) }),
      ...(language === undefined ? {} : { language }),
    },
  })
  for (const requestId of inbound.affected_requests) await advanceRequest(work, requestId)
  return inbound.party === 'vendor'
    ? handleVendorMessage(work, event, inbound)
    : handleClientMessage(work, event, inbound)
}

/** A state settles a message whose outcome was unknown: WhatsApp would not report it otherwise. */
async function handleStatus(work: MarketWork, event: StatusEvent): Promise<string> {
  const callback = readCallback(event.callback)
  const stored = await storeState(work, event)
  if (stored.message_id === null && callback !== undefined) {
    const [message] = await work.read(
      `select id, request_id from mk_messages where tenant = ? and id = ? and direction = 'outbound'`,
      work.tenant,
      callback.messageId,
    )
    if (message === undefined) return 'a state of an unknown message'
    await work.settleUnknown({
      tenant: work.tenant,
      callId: callback.callId,
      text: `WhatsApp reported the message ${event.id} as ${event.status}.`,
      output: { provider_message_id: event.id },
    })
    await recordSent(work, callback.messageId, event.id, String(message.request_id))
    if (message.request_id !== null) await advanceRequest(work, String(message.request_id))
    return 'an unknown message was settled'
  }
  if (event.status === 'failed' && stored.request_id !== null)
    await advanceRequest(work, stored.request_id)
  return `the message is ${event.status}`
}

function storeState(work: MarketWork, event: StatusEvent) {
  return runTool<{ message_id: string | null; request_id: string | null }>(work, {
    tool: 'marketplace.store_message_state',
    input: {
      id: event.id,
      state: event.status,
      at: event.at,
      ...(event.callback === undefined ? {} : { callback: event.callback }),
      ...(event.error === undefined ? {} : { error: event.error }),
      ...(event.pricing === undefined ? {} : { pricing: JSON.stringify(event.pricing) }),
    },
  })
}

async function handleCall(work: MarketWork, event: CallEvent): Promise<string> {
  const callback = readCallback(event.callback)
  const settled = await runTool<{ call_attempt_id: string | null }>(work, {
    tool: 'marketplace.settle_call',
    input: {
      provider_call_id: event.id,
      state: event.state,
      at: event.at,
      ...(callback === undefined ? {} : { call_attempt_id: callback.messageId }),
      ...(event.sdp === undefined ? {} : { answer_sdp: event.sdp }),
      ...(event.error === undefined ? {} : { error: event.error }),
    },
  })
  if (callback !== undefined && settled.call_attempt_id !== null)
    await work.settleUnknown({
      tenant: work.tenant,
      callId: callback.callId,
      text: `WhatsApp reported the call ${event.id} as ${event.state}.`,
      output: { provider_call_id: event.id },
    })
  return `the call is ${event.state}`
}

const OPENINGS: readonly (readonly [Language, RegExp])[] = [
  ['rw', /\b(?:ndashaka|nkeneye|nshaka|muraho|mwaramutse|mwiriwe|hafi ya|murakoze)\b/i],
  ['fr', /\b(?:je cherche|j'ai besoin|bonjour|bonsoir|près de|pres de|il me faut|merci)\b/i],
  ['en', /\b(?:i need|looking for|i want|hello|near|please|thanks)\b/i],
]

/** The language of a message; undefined where it does not say. */
function detectLanguage(text: string): Language | undefined {
  const opening = OPENINGS.find(([, pattern]) => pattern.test(text))
  if (opening !== undefined) return opening[0]
  const detected = detectReplyLanguage(foldReply(text))
  return detected === 'en' || detected === 'fr' || detected === 'rw' ? detected : undefined
}
