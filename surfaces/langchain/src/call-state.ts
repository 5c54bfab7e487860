import type { Outcome } from '@surehand/core'
import { awaitAnswer, awaitOrKnown, callForModel } from '@surehand/core/host'
import { toToolError } from '@surehand/core/internal'
import type { Approval } from '@surehand/core/ports'
import type { InterruptReference } from './interrupt-reference.ts'
import type { ModelCall } from './model-call.ts'
import type { Surface } from './options.ts'
import { ownCallId, pendingRequest } from './pending-request.ts'
import { toCallRequest } from './request.ts'

/**
 * The outcome of a call so far, and the id it is stored under; undefined where the id is not
 * certain.
 */
export type CallState = { readonly outcome: Outcome; readonly callId: string | undefined }

/**
 * Reads the state of a call by making it again under its own idempotency key, so that a forged
 * checkpoint cannot refer to another call. The call id in the checkpoint is used only where calling
 * again would start a new call, or could not find the old one.
 */
export async function readCallState(
  reference: InterruptReference,
  call: ModelCall,
  surface: Surface,
): Promise<CallState> {
  const before = await findStoredOutcome(reference, call, surface)
  if (
    before !== undefined &&
    mustNotRepeat(before, call) &&
    !(await isDenied(reference, call, surface))
  )
    return { outcome: before, callId: reference.call_id }
  const again = await callForModel(surface.runtime, toCallRequest(call, surface), surface)
  if (again.status !== 'failed')
    return {
      outcome: again,
      callId:
        callIdOf(again, call) ?? (isSameRequest(again, before) ? reference.call_id : undefined),
    }
  switch (again.error.code) {
    case 'TOOL_ALREADY_RUNNING': {
      const running: unknown = again.error.details?.call_id
      return { outcome: again, callId: typeof running === 'string' ? running : undefined }
    }
    // The input was edited on the decision page, so that the key now belongs to another input.
    case 'TOOL_IDEMPOTENCY_CONFLICT':
      return wasEdited(before)
        ? { outcome: before, callId: reference.call_id }
        : { outcome: again, callId: undefined }
    default:
      return { outcome: again, callId: undefined }
  }
}

/** Waits for the next outcome of a call after its request was answered, or while it runs. */
export async function awaitNextOutcome(
  state: CallState,
  call: ModelCall,
  surface: Surface,
): Promise<Outcome> {
  const { runtime, caller, clock, waitMs } = surface
  const { outcome, callId } = state
  const request = toCallRequest(call, surface)
  if (callId === undefined)
    return pendingRequest(outcome) === undefined ? outcome : callForModel(runtime, request, surface)
  const { signal, onProgress } = request
  // Looked up first, so that a caller whose signal is aborted still learns that the approval
  // counted.
  const known = await awaitOrKnown(outcome, () => runtime.answer(caller, callId))
  return awaitOrKnown(known, () =>
    awaitAnswer(runtime, caller, callId, { clock, waitMs, signal, until: 'news', onProgress }),
  )
}

async function findStoredOutcome(
  reference: InterruptReference,
  { tool }: ModelCall,
  { runtime, caller }: Surface,
): Promise<Outcome | undefined> {
  const stored = await runtime.answer(caller, reference.call_id)
  return stored?.facts.tool === tool.id ? stored : undefined
}

// A failure may have released the key, and a read has none: calling again would start a new call.
function mustNotRepeat(before: Outcome, { tool }: ModelCall): boolean {
  return (
    before.status === 'failed' || (!tool.contract.isWrite && pendingRequest(before) === undefined)
  )
}

/**
 * The stored call of a denied request says only that it ended; calling it again returns the denial
 * with its reason.
 */
async function isDenied(
  reference: InterruptReference,
  { tool }: ModelCall,
  surface: Surface,
): Promise<boolean> {
  const approval =
    reference.kind === 'approval' ? await findApproval(reference, surface) : undefined
  return approval?.state === 'denied' && approval.toolId === tool.id
}

/** The approval request as it is stored; undefined if it does not exist. */
export async function findApproval(
  { id }: InterruptReference,
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

function isSameRequest(again: Outcome, before: Outcome | undefined): boolean {
  const open = pendingRequest(again)
  return open !== undefined && before !== undefined && pendingRequest(before)?.id === open.id
}

function wasEdited(before: Outcome | undefined): before is Outcome {
  return (
    before !== undefined && (before.status !== 'pending' || before.approval.editedBy !== undefined)
  )
}
