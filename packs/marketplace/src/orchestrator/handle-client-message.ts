import { readConsentReply } from '../consent/read-consent-reply.ts'
import { dispatchMessage } from '../engine/dispatch-message.ts'
import { callTool, type MarketWork, runTool } from '../engine/market-context.ts'
import { textOf } from '../market-data.ts'
import type { MessageEvent } from '../messages/market-event.ts'
import type { Inbound } from '../messages/store-inbound.ts'
import type { ShortlistItem } from '../request/request.ts'
import { advanceRequest } from './advance-request.ts'
import {
  askPerson,
  type ClientRequest,
  closeRequest,
  findOpenRequest,
  moveRequest,
  readClientRequest,
  writeToClient,
} from './client-request.ts'
import { collectRequirements, isDescribed } from './collect-requirements.ts'
import { readOrder } from './orders.ts'
import { isThanks, opensNeed } from './read-need.ts'
import { storeForAgent } from './store-for-agent.ts'
import { phrasesOf } from './texts.ts'

/**
 * What a client's message leads to. The order matters: an operator's conversation is left alone,
 * STOP and CANCEL always work, and an open question about a call is answered before anything else.
 */
export async function handleClientMessage(
  work: MarketWork,
  event: MessageEvent,
  inbound: Inbound,
): Promise<string> {
  const conversationId = inbound.party_id
  const open = await findOpenRequest(work, conversationId)
  if (inbound.is_stop) {
    if (open !== undefined) await closeRequest(work, open.id, 'the client wants no messages')
    return 'the client gets no more messages'
  }
  // YES and NO to a call are the client's own decision, also while an operator answers.
  const answered = await answerCallQuestion(work, conversationId, event)
  if (answered !== undefined) return answered
  if (!(await isAutomatic(work, conversationId))) return 'stored for the operator'
  if (!work.settings().orchestratorEnabled) {
    const request = await requireRequest(work, conversationId, open, event)
    return storeForAgent(work, request, event, inbound)
  }
  const order = readOrder(event.text ?? '')
  if (order?.kind === 'cancel') return cancel(work, open)
  if (event.text !== undefined && isThanks(event.text) && open?.state !== 'collecting_requirements')
    return 'nothing to do'
  const request = await requireRequest(work, conversationId, open, event)
  if (event.type === 'audio') return passVoiceNote(work, request, event, inbound)
  if (order?.kind === 'person') return callOperator(work, request, inbound)
  return actByState(work, request, event, inbound)
}

async function actByState(
  work: MarketWork,
  request: ClientRequest,
  event: MessageEvent,
  inbound: Inbound,
): Promise<string> {
  const isCollecting =
    request.state === 'collecting_requirements' || request.state === 'ocr_processing'
  // Driven again after a crash: the message itself has moved the request on, so it is nothing new.
  if (!isCollecting && (await isDescribed(work, inbound.message_id))) {
    await advanceRequest(work, request.id)
    return 'the message was added'
  }
  switch (request.state) {
    case 'collecting_requirements':
    case 'ocr_processing':
      return collectRequirements(work, request, event, inbound)
    case 'error': {
      // A client who writes after an error gets another try.
      await moveRequest(work, request, 'collecting_requirements', {
        reason: 'the client wrote again',
      })
      return collectRequirements(work, request, event, inbound)
    }
    case 'shortlist_ready':
      return chooseFromShortlist(work, request, event, inbound)
    case 'vendor_outreach':
    case 'awaiting_vendor_replies':
    case 'handed_off':
    case 'closed':
      return passToPerson(work, request, inbound, 'The client wrote while vendors are being asked.')
  }
}

async function answerCallQuestion(
  work: MarketWork,
  conversationId: string,
  event: MessageEvent,
): Promise<string | undefined> {
  const decision = readConsentReply(event.text ?? '')
  if (decision === undefined) return undefined
  const [pending] = await work.read(
    `select c.id, c.request_id from mk_consents c join mk_requests r on r.tenant = c.tenant and r.id = c.request_id
      where c.tenant = ? and r.conversation_id = ? and ((c.state = 'requested' and c.message_sent = 1) or c.decided_by = ?)
      order by case when c.decided_by = ? then 0 else 1 end, c.requested_at desc limit 1`,
    work.tenant,
    conversationId,
    event.id,
    event.id,
  )
  const consentId = textOf(pending?.id)
  if (consentId === undefined) return undefined
  return answerConsent(work, {
    consentId,
    requestId: String(pending?.request_id),
    decision,
    messageId: event.id,
  })
}

async function isAutomatic({ read, tenant }: MarketWork, id: string): Promise<boolean> {
  const [row] = await read(
    'select mode from mk_conversations where tenant = ? and id = ?',
    tenant,
    id,
  )
  return row?.mode === 'auto'
}

/**
 * A client's first message opens a request, and so does "I need …" after one was handed off.
 */
async function requireRequest(
  work: MarketWork,
  conversationId: string,
  open: ClientRequest | undefined,
  event: MessageEvent,
): Promise<ClientRequest> {
  const beginsAnew = open?.state === 'handed_off' && opensNeed(event.text ?? '')
  if (open !== undefined && !beginsAnew) return open
  if (open !== undefined) await closeRequest(work, open.id, 'the client has another need')
  await runTool(work, {
    tool: 'marketplace.open_request',
    input: { conversation_id: conversationId },
  })
  const opened = await findOpenRequest(work, conversationId)
  if (opened === undefined) throw new Error('a request that was opened is not there')
  return opened
}

async function cancel(work: MarketWork, open: ClientRequest | undefined): Promise<string> {
  if (open === undefined) return 'there is nothing to cancel'
  // Told first: driven again after a crash, a closed request would not be found.
  await writeToClient(work, open, phrasesOf(open.language).cancelled)
  await closeRequest(work, open.id, 'the client cancelled')
  return 'the request is cancelled'
}

async function passVoiceNote(
  work: MarketWork,
  request: ClientRequest,
  event: MessageEvent,
  inbound: Inbound,
): Promise<string> {
  await askPerson(work, {
    kind: 'voice_note',
    subject: event.id,
    reason: 'The client sent a voice note.',
    request_id: request.id,
    conversation_id: request.conversationId,
    message_id: inbound.message_id,
  })
  await writeToClient(work, request, phrasesOf(request.language).voiceNote)
  return 'a person listens to the voice note'
}

async function callOperator(
  work: MarketWork,
  request: ClientRequest,
  inbound: Inbound,
): Promise<string> {
  await passToPerson(work, request, inbound, 'The client asks for a person.')
  await writeToClient(work, request, phrasesOf(request.language).handedOff)
  return 'a person was asked for'
}

async function chooseFromShortlist(
  work: MarketWork,
  request: ClientRequest,
  event: MessageEvent,
  inbound: Inbound,
): Promise<string> {
  const order = readOrder(event.text ?? '')
  const phrases = phrasesOf(request.language)
  if (order?.kind === 'call') {
    await callTool(work, {
      tool: 'marketplace.request_call_consent',
      input: {
        request_id: request.id,
        scope: 'concierge',
        reason: phrases.consentReason,
      },
      key: `consent/${event.id}`,
    })
    return 'the client was asked whether we may call'
  }
  const chosen =
    order?.kind === 'choice'
      ? (request.shortlist[order.number - 1] as ShortlistItem | undefined)
      : undefined
  if (chosen === undefined)
    return passToPerson(work, request, inbound, 'The client wrote about the shortlist.')
  await writeToClient(work, request, phrases.chosen(chosen.vendor_name, chosen.vendor_phone))
  await moveRequest(work, request, 'handed_off', { reason: `the client chose ${chosen.vendor_id}` })
  return 'the client has chosen'
}

async function passToPerson(
  work: MarketWork,
  request: ClientRequest,
  inbound: Inbound,
  reason: string,
): Promise<string> {
  await askPerson(work, {
    kind: 'operator_wanted',
    subject: inbound.message_id,
    reason,
    request_id: request.id,
    conversation_id: request.conversationId,
    message_id: inbound.message_id,
  })
  return 'a person looks at the message'
}

/** Records a client's yes or no to a call, and asks for WhatsApp's own permission where it lacks. */
async function answerConsent(
  work: MarketWork,
  answer: {
    readonly consentId: string
    readonly requestId: string
    readonly decision: 'granted' | 'denied'
    /** The client's message. */
    readonly messageId: string
  },
): Promise<string> {
  const { state } = await runTool<{ state: string }>(work, {
    tool: 'marketplace.decide_consent',
    input: {
      consent_id: answer.consentId,
      change: answer.decision,
      by_message: answer.messageId,
    },
    requestId: answer.requestId,
  })
  const request = await readClientRequest(work, answer.requestId)
  if (request === undefined || request.mode !== 'auto') return `the consent is ${state}`
  const { consentGranted, consentDenied, callPermission } = phrasesOf(request.language)
  await writeToClient(work, request, state === 'granted' ? consentGranted : consentDenied)
  if (
    state === 'granted' &&
    work.settings().callingEnabled &&
    !(await mayCall(work, request.conversationId))
  )
    await dispatchMessage(work, {
      request_id: request.id,
      party: 'client',
      kind: 'call_permission',
      text: callPermission,
      about: answer.consentId,
      by: 'system',
    })
  return `the consent is ${state}`
}

// If WhatsApp does not say, it is asked when the call is placed.
async function mayCall(work: MarketWork, conversationId: string): Promise<boolean> {
  const [row] = await work.read(
    'select phone from mk_conversations where tenant = ? and id = ?',
    work.tenant,
    conversationId,
  )
  try {
    const { mayCall: allowed } = await work.calling.permission(
      { tenant: work.tenant, to: String(row?.phone) },
      work.signal,
    )
    return allowed
  } catch {
    return true
  }
}
