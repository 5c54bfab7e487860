import type { Outcome } from '@surehand/core'
import { awaitAnswer, awaitOrKnown, callForModel } from '@surehand/core/host'
import { toToolError } from '@surehand/core/internal'
import type { Approval } from '@surehand/core/ports'
import type { Asked } from './asked.ts'
import type { ModelCall } from './model-call.ts'
import { openQuestion, ownCallId } from './open-question.ts'
import type { Surface } from './options.ts'
import { toCallRequest } from './request.ts'

/** How a call stands, and the id it surely is kept under, where that is known. */
export type Standing = { readonly outcome: Outcome; readonly callId: string | undefined }

/**
 * How a call stands by now: it is made again under its own key, so that no checkpoint can say which call it is. By the id that was
 * carried along it is looked up only where calling again would begin something anew, or could not find it.
 */
export async function standing(asked: Asked, call: ModelCall, surface: Surface): Promise<Standing> {
  const before = await carriedBy(asked, call, surface)
  if (before !== undefined && isOver(before, call) && !(await isDenied(asked, call, surface)))
    return { outcome: before, callId: asked.call_id }
  const again = await callForModel(surface.runtime, toCallRequest(call, surface), surface)
  if (again.status !== 'failed')
    return {
      outcome: again,
      callId: callIdOf(again, call) ?? (isSame(again, before) ? asked.call_id : undefined),
    }
  switch (again.error.code) {
    case 'TOOL_ALREADY_RUNNING': {
      const running: unknown = again.error.details?.call_id
      return { outcome: again, callId: typeof running === 'string' ? running : undefined }
    }
    // edited on its page meanwhile: under its key there is another input now
    case 'TOOL_IDEMPOTENCY_CONFLICT':
      return isEdited(before)
        ? { outcome: before, callId: asked.call_id }
        : { outcome: again, callId: undefined }
    default:
      return { outcome: again, callId: undefined }
  }
}

/** The next that is known of it, now that its question was answered or what it does is waited for. */
export async function news(stood: Standing, call: ModelCall, surface: Surface): Promise<Outcome> {
  const { runtime, caller, clock, waitMs } = surface
  const { outcome, callId } = stood
  const request = toCallRequest(call, surface)
  if (callId === undefined)
    return openQuestion(outcome) === undefined ? outcome : callForModel(runtime, request, surface)
  const { signal, onProgress } = request
  // looked up first: whoever has left by now still hears that their approval counted
  const known = await awaitOrKnown(outcome, () => runtime.answer(caller, callId))
  return awaitOrKnown(known, () =>
    awaitAnswer(runtime, caller, callId, { clock, waitMs, signal, until: 'news', onProgress }),
  )
}

async function carriedBy(
  asked: Asked,
  { tool }: ModelCall,
  { runtime, caller }: Surface,
): Promise<Outcome | undefined> {
  const carried = await runtime.answer(caller, asked.call_id)
  return carried?.facts.tool === tool.id ? carried : undefined
}

// a failure may have freed the key, and a read has none: called again, they would begin anew
function isOver(before: Outcome, { tool }: ModelCall): boolean {
  return (
    before.status === 'failed' || (!tool.contract.isWrite && openQuestion(before) === undefined)
  )
}

/** The row of a denied call only says that it ended; whoever calls again hears of the no, and why. */
async function isDenied(asked: Asked, { tool }: ModelCall, surface: Surface): Promise<boolean> {
  const approval = asked.kind === 'approval' ? await askedApproval(asked, surface) : undefined
  return approval?.state === 'denied' && approval.toolId === tool.id
}

/** The question as it was put; undefined where nobody put it. */
export async function askedApproval(
  { id }: Asked,
  { runtime, caller }: Surface,
): Promise<Approval | undefined> {
  return runtime.approvals.getFor(caller, id).catch((thrown: unknown) => {
    if (toToolError(thrown).code !== 'TOOL_RESOURCE_NOT_FOUND') throw thrown
    return undefined
  })
}

function callIdOf(outcome: Outcome, call: ModelCall): string | undefined {
  return outcome.status === 'accepted' ? outcome.jobId : ownCallId(outcome, call)
}

function isSame(again: Outcome, before: Outcome | undefined): boolean {
  const open = openQuestion(again)
  return open !== undefined && before !== undefined && openQuestion(before)?.id === open.id
}

function isEdited(before: Outcome | undefined): before is Outcome {
  return (
    before !== undefined && (before.status !== 'pending' || before.approval.editedBy !== undefined)
  )
}
