import { isToolError, ToolError } from '@surehand/core'
import { eraseClient } from '../erasure/client-erasure.ts'
import type {
  CallOrder,
  CallReceipt,
  ConsentOrder,
  ConsentReceipt,
  Market,
} from '../market-port.ts'
import { handleEvent } from '../orchestrator/handle-event.ts'
import { runDueWork } from '../orchestrator/run-due-work.ts'
import { consentButtons, consentQuestion, languageOf } from '../orchestrator/texts.ts'
import { sourceCodeOf } from '../refuse.ts'
import { asRefusal, dispatchMessage, isUndecided, undecidedError } from './dispatch-message.ts'
import {
  callTool,
  type MarketContext,
  type MarketWork,
  openWork,
  runTool,
} from './market-context.ts'

/** The marketplace's own provider: it carries out what takes several calls. */
export function createMarket(context: MarketContext): Market {
  return {
    sendMessage: ({ tenant, requestId, vendorId, text, options, by }, signal) =>
      refusing(
        dispatchMessage(openWork(context, tenant, signal), {
          request_id: requestId,
          party: vendorId === undefined ? 'client' : 'vendor',
          ...(vendorId === undefined ? {} : { vendor_id: vendorId }),
          kind: options === undefined ? 'text' : 'interactive',
          text,
          ...(options === undefined ? {} : { options: [...options] }),
          by,
        }),
      ),
    requestConsent: (order, signal) =>
      refusing(requestConsent(openWork(context, order.tenant, signal), order)),
    startCall: (order, signal) =>
      refusing(startCall(openWork(context, order.tenant, signal), order)),
    eraseClient: (order, signal) =>
      refusing(eraseClient(openWork(context, order.tenant, signal), order)),
    handleEvent: ({ tenant, event }, signal) =>
      handleEvent(openWork(context, tenant, signal), event),
    runDueWork: ({ tenant }, signal) => runDueWork(openWork(context, tenant, signal)),
  }
}

async function refusing<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (thrown) {
    throw isToolError(thrown) ? asRefusal(thrown) : thrown
  }
}

/** Asks a client whether we may call; a question that is open is not asked again. */
async function requestConsent(
  work: MarketWork,
  { requestId, scope, reason, by }: ConsentOrder,
): Promise<ConsentReceipt> {
  const { consent_id: consentId, is_asked: isAsked } = await runTool<{
    consent_id: string
    is_asked: boolean
  }>(work, {
    tool: 'marketplace.prepare_consent',
    input: { request_id: requestId, scope, reason },
    requestId,
  })
  if (isAsked) return { consent_id: consentId, message_sent: false }
  const language = await readClientLanguage(work, requestId)
  await dispatchMessage(work, {
    request_id: requestId,
    party: 'client',
    kind: 'interactive',
    text: consentQuestion(language, reason),
    options: consentButtons(language),
    about: consentId,
    by,
  })
  await runTool(work, {
    tool: 'marketplace.decide_consent',
    input: { consent_id: consentId, change: 'asked' },
    requestId,
  })
  return { consent_id: consentId, message_sent: true }
}

/** The language that the client of a request writes in. */
export async function readClientLanguage({ read, tenant }: MarketWork, requestId: string) {
  const [row] = await read(
    `select c.language from mk_requests r join mk_conversations c on c.tenant = r.tenant and c.id = r.conversation_id
      where r.tenant = ? and r.id = ?`,
    tenant,
    requestId,
  )
  return languageOf(row?.language)
}

/** Stores a call attempt and places the call. Driven again, it finds its attempt by the key. */
async function startCall(
  work: MarketWork,
  { consentId, idempotencyKey }: CallOrder,
): Promise<CallReceipt> {
  const { call_attempt_id: attemptId, request_id: requestId } = await prepareCall(
    work,
    consentId,
    idempotencyKey,
  )
  const placed = await callTool(work, {
    tool: 'marketplace.place_call',
    input: { call_attempt_id: attemptId },
    key: `place/${attemptId}`,
    requestId,
  })
  if (placed.status === 'done') {
    const { provider_call_id: providerId } = placed.data as { provider_call_id: string }
    await settle(work, { call_attempt_id: attemptId, provider_call_id: providerId })
    return { call_attempt_id: attemptId, provider_call_id: providerId }
  }
  const error =
    placed.status === 'failed'
      ? placed.error
      : new ToolError('TOOL_ALREADY_RUNNING', 'The call is still being placed.')
  if (isUndecided(error)) throw undecidedError(error)
  await settle(work, {
    call_attempt_id: attemptId,
    state: 'failed',
    error: error.message.slice(0, 500),
  })
  if (isExpired(error)) throw await expireConsent(work, consentId, error)
  throw providerError(error, attemptId)
}

async function prepareCall(work: MarketWork, consentId: string, key: string) {
  try {
    return await runTool<{ call_attempt_id: string; request_id: string }>(work, {
      tool: 'marketplace.prepare_call',
      input: {
        consent_id: consentId,
        dispatch_key: key,
        calling_enabled: work.settings().callingEnabled,
      },
    })
  } catch (thrown) {
    throw isExpired(thrown) ? await expireConsent(work, consentId, thrown) : thrown
  }
}

function isExpired(thrown: unknown): thrown is ToolError {
  return isToolError(thrown) && sourceCodeOf(thrown) === 'CONSENT_EXPIRED'
}

async function expireConsent(
  work: MarketWork,
  consentId: string,
  refusal: ToolError,
): Promise<ToolError> {
  await runTool(work, {
    tool: 'marketplace.decide_consent',
    input: { consent_id: consentId, change: 'expired' },
  })
  return refusal
}

function settle(
  work: MarketWork,
  input: {
    readonly call_attempt_id: string
    readonly provider_call_id?: string
    readonly state?: string
    readonly error?: string
  },
): Promise<unknown> {
  return runTool(work, {
    tool: 'marketplace.settle_call',
    input: { state: 'initiated', at: work.now(), ...input },
  })
}

// The attempt has failed for good; another call needs another key.
function providerError(error: ToolError, attemptId: string): ToolError {
  return new ToolError('TOOL_EXTERNAL_SERVICE_ERROR', `The call was not placed: ${error.message}`, {
    details: {
      source_code: 'PROVIDER_ERROR',
      ...(error.details?.provider_status === undefined
        ? {}
        : { provider_status: error.details.provider_status }),
    },
    data: { success: false, call_attempt_id: attemptId, error: error.message },
    effect: 'refused',
    cause: error,
  })
}
