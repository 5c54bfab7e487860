import { newApprovalRequest, readPartOf } from '../approvals/approval-request.ts'
import { NOTHING_DONE } from '../approvals/facts.ts'
import { refuseFormerApprover } from '../approvals/former-approver.ts'
import { APPROVAL_EXPIRES, readShownFacts, stricterKind } from '../call/approval.ts'
import type { CallRow } from '../call/call-row.ts'
import type { Answer } from '../call/outcome.ts'
import { ToolError } from '../call/tool-error.ts'
import { toMs } from '../define/duration.ts'
import type { NormalApproval } from '../define/normal.ts'
import type { Call } from '../ledger/call.ts'
import { toNewCall } from '../ledger/claim-call.ts'
import { deniedError } from '../ledger/denied-error.ts'
import { answerHeldKey } from '../ledger/idempotency.ts'
import { conditionApproval } from '../permissions/access.ts'
import type { PermissionScheme } from '../permissions/permission-scheme.ts'
import { definitionHash } from '../registry/describe.ts'
import type { PipelineContext } from './context.ts'
import { readFacts } from './read-facts.ts'

/**
 * Requests an approval where one is needed. A resumed call has its approval in the row, and the
 * claim uses it up.
 */
export function approve(
  call: Call,
  context: PipelineContext,
): Promise<Answer | undefined> | undefined {
  const rule = findApprovalRule(call, context.scheme)
  if (call.resumes === undefined)
    return rule === undefined ? undefined : requestApproval(call, rule, context)
  refuseChanged(call, call.resumes, rule)
  const { approvalId } = call.resumes
  if (approvalId !== undefined && isBeforeUse(call, call.resumes))
    return refuseFormerApprover({ tenant: call.caller.tenant, approvalId }, context)
  return rule?.unless !== undefined && isUnapproved(call.resumes)
    ? refuseUnlessExempt(call, rule, context)
    : undefined
}

/**
 * Which approval this call needs: the contract's, or a stricter one that a condition of the
 * caller's rights demands.
 */
export function findApprovalRule(call: Call, scheme: PermissionScheme): NormalApproval | undefined {
  const { approval } = call.tool.contract
  const own = approval?.when(call.input) ? approval : undefined
  const demanded = conditionApproval(call, scheme)
  if (demanded === undefined) return own
  return {
    kind: stricterKind(own?.kind, demanded),
    asks: own?.asks ?? (() => `${call.tool.title}?`),
    expiresMs: own?.expiresMs ?? toMs(APPROVAL_EXPIRES),
    when: () => true,
    facts: own?.facts,
  }
}

// An approval covers this definition and this input only.
function refuseChanged(call: Call, row: CallRow, rule: NormalApproval | undefined): void {
  if (row.inputHash !== call.canonicalInput.hash)
    throw new ToolError(
      'TOOL_RUN_DIVERGED',
      `${call.tool.id} reads the stored input of ${row.callId} differently now.`,
    )
  // Today's policy applies to a call that waited, but not to a run that has begun: a call that was
  // queued without an approval may need one now.
  if (
    rule !== undefined &&
    rule.unless === undefined &&
    row.approvalId === undefined &&
    row.state === 'queued' &&
    row.spentMs === 0
  )
    throw unapprovedError(call)
  // A run that has begun has used up its approval; its journal shows whether it still does the
  // same.
  if (row.spentMs > 0 || (call.tool.work.kind === 'run' && row.state !== 'queued')) return
  if (row.approvalId === undefined || row.definitionHash === definitionHash(call.tool)) return
  throw new ToolError(
    'TOOL_APPROVAL_DENIED',
    `${call.tool.id} has changed since it was approved.`,
    { suggestions: ['Call it again to request an approval for the tool as it is now.'] },
  )
}

// A run that has begun has used its approval, and so has a call whose effect has begun.
function isBeforeUse(call: Call, { effect, spentMs, state }: CallRow): boolean {
  if (effect !== undefined || spentMs > 0) return false
  return call.tool.work.kind !== 'run' || state === 'queued'
}

function isUnapproved({ approvalId, effect }: CallRow): boolean {
  return approvalId === undefined && effect === undefined
}

// Nobody was asked because of the facts, and they may have changed while the call was queued, or
// since its process died.
async function refuseUnlessExempt(
  call: Call,
  rule: NormalApproval,
  context: PipelineContext,
): Promise<undefined> {
  const facts = await readFacts(call, rule, context)
  if (facts === undefined || rule.unless?.(call.input, facts.value) !== true)
    throw unapprovedError(call)
}

function unapprovedError(call: Call): ToolError {
  return new ToolError(
    'TOOL_APPROVAL_DENIED',
    `${call.tool.id} now requires approval, and was queued without one.`,
    { suggestions: ['Call it again to request the approval.'] },
  )
}

async function requestApproval(
  call: Call,
  rule: NormalApproval,
  context: PipelineContext,
): Promise<Answer | undefined> {
  const facts = await readFacts(call, rule, context)
  if (facts !== undefined && rule.unless?.(call.input, facts.value) === true) return undefined
  const asked = await context.stores.approvals.ask(
    newApprovalRequest(call, rule, context.entropy.newId('appr', call.startedAt), {
      facts,
      partOf: await readPartOf({ tenant: call.caller.tenant, parentId: call.parentId }, context),
    }),
    toNewCall(call, context),
  )
  switch (asked.kind) {
    case 'asked':
    case 'pending':
      return { status: 'pending', approval: asked.approval, callId: asked.approval.callId }
    case 'denied':
      throw deniedError(asked.approval)
    case 'held':
      return answerHeldKey(asked.row, call, context)
  }
}

/** The call with the facts that were approved, if its tool has facts; otherwise the call itself. */
export function withApprovedFacts(
  call: Call,
  row: CallRow | undefined,
  context: PipelineContext,
): Call | Promise<Call> {
  if (call.tool.contract.approval?.facts === undefined || row?.approvalId === undefined) return call
  return loadApprovedFacts(call, row.approvalId, context)
}

async function loadApprovedFacts(
  call: Call,
  approvalId: string,
  { stores }: PipelineContext,
): Promise<Call> {
  const approval = await stores.approvals.get(call.caller.tenant, approvalId)
  if (approval === undefined)
    throw new ToolError(
      'TOOL_APPROVAL_DENIED',
      `The approval of ${call.tool.id} is no longer stored. ${NOTHING_DONE}`,
      { effect: 'none', suggestions: ['Call it again to request a new approval.'] },
    )
  return { ...call, approved: { ...readShownFacts(approval), approval } }
}
