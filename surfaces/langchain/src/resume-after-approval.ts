import type { Outcome } from '@surehand/core'
import { callForModel, relayVerdict, wireName } from '@surehand/core/host'
import { isRecord, toToolError } from '@surehand/core/internal'
import { awaitNextOutcome, type CallState, findApproval, readCallState } from './call-state.ts'
import { editedInput } from './edit.ts'
import { type InterruptReference, namesAnotherRequest } from './interrupt-reference.ts'
import { type CallResult, editedCall, type ModelCall } from './model-call.ts'
import type { Surface } from './options.ts'
import { isRequestShown, ownCallId } from './pending-request.ts'
import { toCallRequest } from './request.ts'
import type { ResumedInterrupt } from './resumed-interrupt.ts'
import { shownArgs } from './shown-args.ts'

const NOT_COUNTED =
  'The approval that was given here does not count for this call. The approval request is still pending; it says where it is decided.'
const TOO_LATE = 'The person edited the request, but it had been decided already.'
const STEP_NOT_EDITABLE =
  'Nothing was decided. A step can only be approved or rejected: its input comes from the run it belongs to.'

/**
 * Continues a call after its approval request was shown to a person. The decision reaches the
 * runtime as the host's attestation, and `runtime.approvals` alone decides whether it counts. It is
 * relayed only for the request that this call is waiting for.
 */
export async function resumeAfterApproval(
  { value, reference }: ResumedInterrupt,
  call: ModelCall,
  surface: Surface,
): Promise<CallResult> {
  const state = await readCallState(reference, call, surface)
  const { outcome } = state
  const shown =
    outcome.status === 'pending' && isRequestShown(outcome, reference)
      ? outcome.approval
      : undefined
  const decision = readDecision(value, { id: reference.id, toolId: shown?.toolId ?? call.tool.id })
  switch (decision.type) {
    case 'approve': {
      if (shown !== undefined) await relayDecision('approve', reference, surface)
      const now = await awaitNextOutcome(state, call, surface)
      return {
        call,
        outcome: now,
        ...(now.status === 'pending' && isRequestShown(now, reference)
          ? { note: NOT_COUNTED }
          : {}),
      }
    }
    case 'reject': {
      if (shown !== undefined && !(await relayDecision('deny', reference, surface)))
        await withdrawRequest(state, surface)
      const note =
        decision.message === undefined ? {} : { note: `The person says: ${decision.message}` }
      return {
        call,
        outcome: await readDeniedOutcome(state, { reference, call, surface }),
        ...note,
      }
    }
    case 'edit':
      return resumeAfterEdit(decision.args, state, { reference, call, surface })
    case 'unclear':
      return {
        call,
        outcome: await awaitNextOutcome(state, call, surface),
        problem: decision.problem,
      }
  }
}

type ResumeContext = {
  readonly reference: InterruptReference
  readonly call: ModelCall
  readonly surface: Surface
}

async function readDeniedOutcome(
  state: CallState,
  { reference, call, surface }: ResumeContext,
): Promise<Outcome> {
  const now = await awaitNextOutcome(state, call, surface)
  return now.status === 'failed' ? (await readCallState(reference, call, surface)).outcome : now
}

async function resumeAfterEdit(
  args: Readonly<Record<string, unknown>>,
  state: CallState,
  { reference, call, surface }: ResumeContext,
): Promise<CallResult> {
  const { outcome } = state
  const isOpen = outcome.status === 'pending' && isRequestShown(outcome, reference)
  if (isOpen && ownCallId(outcome, call) === undefined)
    return { call, outcome, problem: STEP_NOT_EDITABLE }
  const approval = isOpen || isCancelled(state) ? await findApproval(reference, surface) : undefined
  if (approval === undefined)
    return { call, outcome: await awaitNextOutcome(state, call, surface), note: TOO_LATE }
  // If the input was edited on the decision page, the fields shown are no longer those of the
  // model.
  const edit = {
    shown: approval.editedBy === undefined ? shownArgs(approval, call.tool) : {},
    args,
  }
  const checked = editedInput(call.tool, call.input, edit)
  if ('problem' in checked)
    return { call, outcome, problem: `Nothing was decided. ${checked.problem}` }
  // The old request is withdrawn first: if it stayed open, a later approval would run both calls.
  // Withdrawing is idempotent.
  if (isOpen && !(await withdrawRequest(state, surface)))
    return { call, outcome: await awaitNextOutcome(state, call, surface), note: TOO_LATE }
  const edited = editedCall(call, edit)
  return {
    call: edited,
    outcome: await callForModel(surface.runtime, toCallRequest(edited, surface), surface),
  }
}

// Read from the stored call: an aborted caller does not cancel the call.
function isCancelled({ outcome, callId }: CallState): boolean {
  return (
    callId !== undefined && outcome.status === 'failed' && outcome.error.code === 'TOOL_CANCELLED'
  )
}

async function relayDecision(
  verdict: 'approve' | 'deny',
  reference: InterruptReference,
  { runtime, caller, host }: Surface,
): Promise<boolean> {
  return (
    host !== undefined &&
    relayVerdict(runtime.approvals, verdict, reference, { caller, host }).catch(ignoreStaleDecision)
  )
}

// The request was decided or edited since it was read, so that this decision no longer applies.
function ignoreStaleDecision(thrown: unknown): false {
  const { code } = toToolError(thrown)
  if (code !== 'TOOL_RESOURCE_NOT_FOUND' && code !== 'TOOL_INVALID_FIELD_VALUE') throw thrown
  return false
}

/**
 * Withdraws a request that is not decided yet, which its caller may always do. A run is stopped and
 * compensates its finished steps.
 */
async function withdrawRequest(
  { callId }: CallState,
  { runtime, caller }: Surface,
): Promise<boolean> {
  return callId !== undefined && runtime.cancel(caller, callId)
}

/**
 * What a person decided about one call, read from the format of LangChain's human-in-the-loop
 * middleware.
 */
type Decision =
  | { readonly type: 'approve' }
  | { readonly type: 'reject'; readonly message: string | undefined }
  | { readonly type: 'edit'; readonly args: Readonly<Record<string, unknown>> }
  | { readonly type: 'unclear'; readonly problem: string }

/** The request that is decided: its id, and the tool it is for. */
type DecidedRequest = { readonly id: string; readonly toolId: string }

/**
 * Reads the value that a graph was resumed with. A value that is not exactly one decision about
 * this request decides nothing.
 */
function readDecision(value: unknown, request: DecidedRequest): Decision {
  const decisions = isRecord(value) ? value.decisions : undefined
  const [decision, ...more] = Array.isArray(decisions) ? (decisions as readonly unknown[]) : []
  if (!isRecord(decision) || more.length > 0)
    return unclear('Resume with exactly one decision: { decisions: [{ type }] }.')
  if (namesAnotherRequest(decision, request.id))
    return unclear('The decision was for another request. Decide this one.')
  switch (decision.type) {
    case 'approve':
      return { type: 'approve' }
    case 'reject':
      return {
        type: 'reject',
        message: typeof decision.message === 'string' ? decision.message : undefined,
      }
    case 'edit':
      return readEdit(decision.editedAction, wireName(request.toolId))
    default:
      return unclear('The type of a decision is approve, edit or reject.')
  }
}

function readEdit(action: unknown, name: string): Decision {
  if (!isRecord(action) || !isRecord(action.args))
    return unclear('An edit needs { editedAction: { name, args } }.')
  // An edit must not switch to another tool, which the model did not call.
  return action.name === name
    ? { type: 'edit', args: action.args }
    : unclear(`An edit can change the input of ${name}, but not the tool.`)
}

function unclear(problem: string): Decision {
  return { type: 'unclear', problem: `Nothing was decided. ${problem}` }
}
