import { isToolError, type Outcome, ToolError } from '@surehand/core'
import { errorRow } from '@surehand/core/host'
import type { MessageReceipt } from '../market-port.ts'
import type { MessageToPrepare, Prepared } from '../messages/prepare-message.ts'
import { callTool, type MarketWork, runTool } from './market-context.ts'

export type MessageWanted = Omit<MessageToPrepare, 'quiet'>

/**
 * Prepares a message, gives it to the provider and records the answer. Each step is a call with a
 * key of the message, so that a repeat by anyone continues and sends nothing twice.
 */
export async function dispatchMessage(
  work: MarketWork,
  wanted: MessageWanted,
): Promise<MessageReceipt> {
  const { quietHours, timeZone } = work.settings()
  const prepared = await runTool<Prepared>(work, {
    tool: 'marketplace.prepare_message',
    input: { ...wanted, quiet: { hours: quietHours ?? null, time_zone: timeZone } },
    requestId: wanted.request_id,
  })
  return deliverPrepared(work, prepared, wanted.request_id)
}

/** Gives a prepared message to the provider, unless it is queued or was sent before. */
export async function deliverPrepared(
  work: MarketWork,
  prepared: Prepared,
  requestId: string | undefined,
): Promise<MessageReceipt> {
  const outreach = prepared.outreach_id === null ? {} : { outreach_id: prepared.outreach_id }
  if (prepared.status === 'queued') return outreach
  if (prepared.status === 'sent')
    return { ...outreach, provider_message_id: prepared.provider_message_id ?? '' }
  const { message_id: id } = prepared
  const delivered = await callTool(work, {
    tool: 'marketplace.deliver_message',
    input: { message_id: id },
    key: `deliver/${id}`,
    requestId,
  })
  if (delivered.status !== 'done') {
    const error = await recordFailure(work, prepared, delivered)
    if (error === undefined) return outreach
    throw withOutreach(error, outreach)
  }
  const { provider_message_id: providerId } = delivered.data as { provider_message_id: string }
  try {
    await recordSent(work, id, providerId, requestId)
  } catch (thrown) {
    // It was sent: a repetition finds that out and records it.
    throw isToolError(thrown) ? asUnfinished(thrown) : thrown
  }
  return { ...outreach, provider_message_id: providerId }
}

/**
 * An error of a step, as work that is to be repeated reports it: its own words ("already running",
 * "nothing happened") would count as the end of the whole.
 */
export function asUnfinished(error: ToolError): ToolError {
  // A step that is continued by itself answers when it is repeated.
  const code = error.details?.settled === false ? 'TOOL_RESOURCE_UNAVAILABLE' : error.code
  return new ToolError(code, error.message, {
    details: error.details ?? {},
    effect: 'possible',
    cause: error,
  })
}

/** Records that a message was sent; from the provider's answer or from a webhook. */
export async function recordSent(
  work: MarketWork,
  messageId: string,
  providerId: string,
  requestId?: string,
): Promise<void> {
  await runTool(work, {
    tool: 'marketplace.settle_message',
    input: {
      message_id: messageId,
      result: 'sent',
      provider_message_id: providerId,
      reply_wait_ms: work.settings().replyWaitMs,
    },
    requestId,
  })
}

// Nothing has left and nothing is wrong with the message: WhatsApp is out of reach or too busy.
const PROVIDER_IS_AWAY: ReadonlySet<string> = new Set([
  'TOOL_RESOURCE_UNAVAILABLE',
  'TOOL_NETWORK_ERROR',
  'TOOL_RATE_LIMIT_EXCEEDED',
])
const NEXT_TRY_MS = 15_000

/** Returns no error where the message stays queued until WhatsApp can be reached. */
async function recordFailure(
  work: MarketWork,
  { message_id: id }: Prepared,
  outcome: Outcome,
): Promise<ToolError | undefined> {
  const error =
    outcome.status === 'failed'
      ? outcome.error
      : new ToolError('TOOL_OUTCOME_UNKNOWN', 'The message is still being sent.')
  if (error.code === 'TOOL_ALREADY_RUNNING') return error
  const result = isUndecided(error)
    ? 'unknown'
    : PROVIDER_IS_AWAY.has(error.code)
      ? 'postponed'
      : 'refused'
  const { retry_after_ms: wait } = error.details ?? {}
  await runTool(work, {
    tool: 'marketplace.settle_message',
    input: {
      message_id: id,
      result,
      error: error.message.slice(0, 500),
      retry_after_ms: typeof wait === 'number' ? Math.ceil(wait) : NEXT_TRY_MS,
      reply_wait_ms: 0,
    },
  })
  return result === 'postponed' ? undefined : error
}

/**
 * The error as the sending tools report it. What the provider refused, or what never left, may be
 * sent again under the same key; an unknown outcome may not.
 */
function withOutreach(error: ToolError, outreach: { readonly outreach_id?: string }): ToolError {
  if (isUndecided(error)) return undecidedError(error)
  return new ToolError(error.code, error.message, {
    details: error.details ?? {},
    effect: 'refused',
    data: { success: false, ...outreach, error: error.message },
    ...(error.suggestions === undefined ? {} : { suggestions: error.suggestions }),
    cause: error,
  })
}

// Besides the provider's silence: our own side failed, perhaps only in looking up what an earlier try
// was answered. Taken for a refusal, what was done would be reported as not done.
const UNDECIDED: ReadonlySet<string> = new Set([
  'TOOL_OUTCOME_UNKNOWN',
  'TOOL_ALREADY_RUNNING',
  'TOOL_STORAGE_ERROR',
  'TOOL_EXECUTION_TIMEOUT',
  'TOOL_INTERNAL_ERROR',
  'TOOL_INVALID_OUTPUT',
  'TOOL_TEMPORARILY_DISABLED',
  'TOOL_CANCELLED',
])

export function isUndecided({ code, details }: ToolError): boolean {
  return UNDECIDED.has(code) || details?.settled === false
}

/**
 * WhatsApp has not said whether it has happened. Its next report settles it: until then the outer
 * call stays open and is continued by itself, so its code is one that may be tried again.
 */
export function undecidedError(cause: ToolError): ToolError {
  return new ToolError(
    'TOOL_RESOURCE_UNAVAILABLE',
    'WhatsApp has not said yet whether this has happened, so it may have. It is not done a second time.',
    { details: { source_code: 'OUTCOME_UNKNOWN' }, effect: 'possible', cause },
  )
}

/** An error of a step before anything left, as the outer call reports it. */
export function asRefusal(error: ToolError): ToolError {
  if (error.effect === 'possible' || error.effect === 'refused') return error
  // The store or this process failed: nothing is known, and the key may be driven again.
  if (errorRow(error.code).status === 'error') return error
  return new ToolError(error.code, error.message, {
    details: error.details ?? {},
    data: error.data ?? { success: false, error: error.message },
    effect: 'refused',
    ...(error.suggestions === undefined ? {} : { suggestions: error.suggestions }),
    cause: error,
  })
}
