import type { Outcome } from '@surehand/core'
import { awaitAnswer, awaitOrKnown, callForModel, relayVerdict } from '@surehand/core/host'
import { askedQuestion } from './asked-question.ts'
import { givenVerdicts } from './given-verdicts.ts'
import type { Surface } from './options.ts'
import { reply, type ToolAnswer } from './reply.ts'
import { type ToolCall, toCallRequest } from './request.ts'

/** One tool call of a model, and what came of it. */
export async function callTool(call: ToolCall, surface: Surface): Promise<ToolAnswer> {
  return reply(await outcomeOf(call, surface), call.toolCallId, surface)
}

async function outcomeOf(call: ToolCall, surface: Surface): Promise<Outcome> {
  const { runtime, caller, host } = surface
  const given = givenVerdicts(call.messages).find(
    ({ toolCallId }) => toolCallId === call.toolCallId,
  )
  // before the call, which may ask: an approval to a question that is asked only now was given to nothing
  const asked = given?.verdict === 'approve' ? await askedQuestion(given.shown, surface) : undefined
  const outcome = await callForModel(runtime, toCallRequest(call, surface), surface)
  if (outcome.status !== 'pending' || asked === undefined || host === undefined) return outcome
  // the question of this very call: an approval to another one does not approve it
  if (outcome.approval.id !== asked.id || outcome.approval.digest !== asked.digest) return outcome
  const { callId } = outcome.approval
  const counted = await relayVerdict(runtime.approvals, 'approve', asked, { caller, host })
  // once an approval counts it is no longer true that nothing is done: a call's own id is its job's
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
