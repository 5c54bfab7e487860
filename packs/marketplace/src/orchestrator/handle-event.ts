import { isToolError } from '@surehand/core'
import { errorRow, type UnknownCall } from '@surehand/core/host'
import { asUnfinished, recordSent } from '../engine/dispatch-message.ts'
import { type MarketWork, runTool } from '../engine/market-context.ts'
import { isErasedEvent } from '../erasure/client-erasure.ts'
import { readCallback } from '../messages/deliver-message.ts'
import {
  type CallEvent,
  EventInput,
  eventKey,
  MarketEvent,
  type MessageEvent,
  type StatusEvent,
} from '../messages/market-event.ts'
import type { Inbound } from '../messages/store-inbound.ts'
import { foldReply } from '../replies/fold-reply.ts'
import { detectReplyLanguage } from '../replies/language-of-reply.ts'
import { advanceRequest } from './advance-request.ts'
import { askPerson } from './client-request.ts'
import { handleClientMessage } from './handle-client-message.ts'
import { handleVendorMessage } from './handle-vendor-message.ts'
import type { Language } from './texts.ts'

/**
 * Stores what WhatsApp reported, then does what follows from it. Each step can be repeated, and
 * WhatsApp does not send the event a second time: so a failure is tried again, and a refusal is
 * given to a person.
 */
export async function handleEvent(
  work: MarketWork,
  given: unknown,
): Promise<{ readonly done: string }> {
  const event = MarketEvent.parse(given)
  try {
    return { done: await actOn(work, event) }
  } catch (thrown) {
    if (!isToolError(thrown)) throw thrown
    const { status, retryable } = errorRow(thrown.code)
    if (status === 'error' || retryable || thrown.details?.settled === false)
      throw asUnfinished(thrown)
    await giveToPerson(work, event, thrown.message)
    return GIVEN_TO_PERSON
  }
}

const GIVEN_TO_PERSON = { done: 'a person looks at the event' } as const

function actOn(work: MarketWork, event: MarketEvent): Promise<string> {
  switch (event.kind) {
    case 'message':
      return handleMessage(work, event)
    case 'status':
      return handleStatus(work, event)
    case 'call':
      return handleCall(work, event)
  }
}

/**
 * Gives an event to a person that could not be handled: its processes died too often, or the code
 * failed. The message itself is stored, and the call is settled with that.
 */
export async function giveUnhandledEvent(
  work: MarketWork,
  { callId, input, reason }: UnknownCall,
): Promise<void> {
  const { event } = EventInput.parse(input)
  const isErased = await isErasedEvent(work, event)
  if (!isErased) await giveToPerson(work, event, reason)
  const output = isErased ? { done: 'the client was erased' } : GIVEN_TO_PERSON
  const text = `The event could not be handled: ${output.done}.`
  await work.settleUnknown({ tenant: work.tenant, callId, text, output })
}

async function giveToPerson(work: MarketWork, event: MarketEvent, reason: string): Promise<void> {
  const inbound = event.kind === 'message' ? await storeMessage(work, event) : undefined
  await askPerson(work, {
    kind: 'unhandled_event',
    subject: eventKey(event),
    reason: `The ${event.kind} ${event.id} could not be handled: ${reason}`.slice(0, 500),
    ...(inbound === undefined ? {} : { message_id: inbound.message_id }),
    ...(inbound?.party === 'client' ? { conversation_id: inbound.party_id } : {}),
    ...(inbound?.party === 'vendor' ? { vendor_id: inbound.party_id } : {}),
  })
}

async function handleMessage(work: MarketWork, event: MessageEvent): Promise<string> {
  const inbound = await storeMessage(work, event)
  for (const requestId of inbound.affected_requests) await advanceRequest(work, requestId)
  return inbound.party === 'vendor'
    ? handleVendorMessage(work, event, inbound)
    : handleClientMessage(work, event, inbound)
}

function storeMessage(work: MarketWork, event: MessageEvent): Promise<Inbound> {
  const language = detectLanguage(event.text ?? '')
  return runTool<Inbound>(work, {
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
