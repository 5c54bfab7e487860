import { isToolError, ToolError } from '@surehand/core'
import type { CallOrder, CallReceipt } from '../market-port.ts'
import { sourceCodeOf } from '../refuse.ts'
import { isUndecided, undecidedError } from './dispatch-message.ts'
import { callTool, type MarketWork, runTool } from './market-context.ts'

/** Stores a call attempt and places the call. Driven again, it finds its attempt by the key. */
export async function startCall(
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
