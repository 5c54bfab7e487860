import type { Outcome } from '@surehand/core'
import { awaitAnswer, awaitOrKnown, callForModel, relayVerdict } from '@surehand/core/host'
import { findShownApproval } from './find-shown-approval.ts'
import type { Surface } from './options.ts'
import { readVerdicts } from './read-verdicts.ts'
import { reply, type ToolAnswer } from './reply.ts'
import { type ToolCall, toCallRequest } from './request.ts'

/**
 * Makes one tool call of a model and returns its answer; throws a `ToolCallError` if it was not
 * done.
 */
export async function callTool(call: ToolCall, surface: Surface): Promise<ToolAnswer> {
  return reply(await runToolCall(call, surface), call.toolCallId, surface)
}

async function runToolCall(call: ToolCall, surface: Surface): Promise<Outcome> {
  const { runtime, caller, host } = surface
  const verdict = readVerdicts(call.messages).find(
    ({ toolCallId }) => toolCallId === call.toolCallId,
  )
  // Looked up before the call, which may create an approval request: an approval cannot precede its
  // request.
  const shown =
    verdict?.verdict === 'approve' ? await findShownApproval(verdict.shown, surface) : undefined
  const outcome = await callForModel(runtime, toCallRequest(call, surface), surface)
  if (outcome.status !== 'pending' || shown === undefined || host === undefined) return outcome
  // The approval must be for the request of exactly this call.
  if (outcome.approval.id !== shown.id || outcome.approval.digest !== shown.digest) return outcome
  const { callId } = outcome.approval
  const counted = await relayVerdict(runtime.approvals, 'approve', shown, { caller, host })
  // Once the approval counts, the call may run at any moment, so that "pending" would be wrong. The
  // job has the id of its call.
  const known: Outcome = counted
    ? { status: 'accepted', jobId: callId, facts: { ...outcome.facts, callId } }
    : outcome
  return awaitOrKnown(known, () => awaitNews(callId, call, surface))
}

function awaitNews(
  callId: string,
  { signal, onProgress }: ToolCall,
  { runtime, caller, clock, waitMs }: Surface,
): Promise<Outcome | undefined> {
  return awaitAnswer(runtime, caller, callId, { clock, waitMs, signal, until: 'news', onProgress })
}
