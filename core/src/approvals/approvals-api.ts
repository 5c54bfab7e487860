import type { Approval, ApprovalState, Decision } from '../call/approval.ts'
import type { CallRow } from '../call/call-row.ts'
import type { Caller } from '../call/caller.ts'
import type { Page, PageRequest } from '../call/page.ts'
import type { CallRequest } from '../call/request.ts'
import { ToolError } from '../call/tool-error.ts'
import type { NormalApproval } from '../define/normal.ts'
import type { Call } from '../ledger/call.ts'
import { toNewCall } from '../ledger/claim-call.ts'
import type { LedgerContext } from '../ledger/context.ts'
import type { Decided, NewApproval } from '../ports/approvals.ts'
import type { AuditEntry } from '../ports/audit.ts'
import { approvalEntry } from './approval-entry.ts'
import { newApprovalRequest, readPartOf } from './approval-request.ts'
import { delegateApproval } from './delegate-approval.ts'
import type { Facts } from './facts.ts'
import {
  type ApprovalSearch,
  markWaiting,
  readApprovals,
  readWaiting,
  type WaitingMark,
} from './list-approvals.ts'
import {
  type Credential,
  decisionRules,
  findRefusal,
  isApprovableByLink,
  maySee,
  refuseDecider,
} from './may-decide.ts'

export type DecisionForm = {
  readonly verdict: 'approve' | 'deny'
  /**
   * The digest of what was shown: a decision covers what the decider saw, even if the request has
   * changed since.
   */
  readonly digest: string
  readonly reason?: string
  readonly credential?: Credential
}

/** Where people see approval requests and decide them. */
export type ApprovalsApi = {
  /** The newest requests of a tenant, at most `limit` (default 1,000). */
  readonly list: (
    tenant: string,
    state?: ApprovalState,
    limit?: number,
  ) => Promise<readonly Approval[]>
  readonly get: (tenant: string, id: string) => Promise<Approval>
  /** The newest requests this viewer may see: their own, and for approvers everyone's. */
  readonly listFor: (
    viewer: Caller,
    state?: ApprovalState,
    limit?: number,
  ) => Promise<readonly Approval[]>
  /** The same requests page by page, the newest first. */
  readonly pageFor: (
    viewer: Caller,
    wanted: PageRequest & ApprovalSearch,
  ) => Promise<Page<Approval>>
  /** The pending ones page by page, what expires first at the top. */
  readonly waitingFor: (viewer: Caller, wanted: PageRequest) => Promise<Page<Approval>>
  /** Tells whether what waits for this viewer has changed. */
  readonly waitingMark: (viewer: Caller) => WaitingMark
  /** One of them; a request that the viewer may not see does not exist for them. */
  readonly getFor: (viewer: Caller, id: string) => Promise<Approval>
  /** Whether this person may decide it today, with their own credential. */
  readonly mayDecide: (decider: Caller, approval: Approval) => boolean
  readonly decide: (decider: Caller, id: string, decision: DecisionForm) => Promise<Approval>
  /**
   * Asks another person to decide in the place of one who may decide. The delegate must be a person
   * who may decide it, today and when they do.
   */
  readonly delegate: (by: Caller, id: string, to: string) => Promise<Approval>
  /** Replaces the request by one with another input, which is validated and authorized again. */
  readonly edit: (editor: Caller, id: string, input: unknown) => Promise<Approval>
}

type ApprovalsApiOptions = {
  /**
   * Resolves, validates and authorizes a request under a call id, and finds the approval it needs.
   */
  readonly authorizeRequest: (
    request: CallRequest,
    callId: string,
  ) => { readonly call: Call; readonly rule: NormalApproval | undefined }
  /** Reads what the rule shows beside the input. */
  readonly readFacts: (call: Call, rule: NormalApproval) => Promise<Facts | undefined>
  /** Continues a call after its decision, in a runtime that has no worker to do it. */
  readonly continueCall: (decided: Pick<Approval, 'tenant' | 'callId'>) => Promise<void>
}

const MOST_LISTED = 1_000

export function createApprovalsApi(
  context: LedgerContext,
  { authorizeRequest, readFacts, continueCall }: ApprovalsApiOptions,
): ApprovalsApi {
  async function get(tenant: string, id: string): Promise<Approval> {
    const found = await context.stores.approvals.get(tenant, id)
    if (found === undefined) throw notFoundError(id)
    return found
  }

  // A request that the caller may not see answers like one that does not exist.
  async function getFor(viewer: Caller, id: string): Promise<Approval> {
    const approval = await get(viewer.tenant, id)
    if (!maySee(viewer, approval, decisionRules(approval, context))) throw notFoundError(id)
    return approval
  }

  const pageFor: ApprovalsApi['pageFor'] = (viewer, wanted) =>
    readApprovals(viewer, wanted, context)

  return {
    get,
    list: async (tenant, state, limit = MOST_LISTED) =>
      context.stores.approvals.list(tenant, state, { limit: Math.min(limit, MOST_LISTED) }),
    async listFor(viewer, state, limit = MOST_LISTED) {
      const { items } = await pageFor(viewer, { state, limit: Math.min(limit, MOST_LISTED) })
      return items.toReversed()
    },
    pageFor,
    waitingFor: (viewer, wanted) => readWaiting(viewer, wanted, context),
    waitingMark: (viewer) => markWaiting(viewer, context),
    getFor,
    mayDecide: (decider, approval) =>
      findRefusal(decider, approval, { kind: 'own' }, decisionRules(approval, context)) ===
      undefined,
    async decide(decider, id, form) {
      // The rights that hold now decide, not those that this process read earlier.
      await context.administration.reload(decider.tenant)
      const approval = await getFor(decider, id)
      const credential = form.credential ?? { kind: 'own' }
      refuseDecider(decider, approval, credential, decisionRules(approval, context))
      if (credential.kind === 'link' && form.verdict === 'approve' && !isApprovableByLink(approval))
        throw linkError(id)
      if (form.digest !== approval.digest) throw changedError(id)
      const decision = toDecision(decider, form, credential)
      const entry = decisionEntry(approval, decision, decider, context)
      const decided = requireDecided(
        id,
        await context.stores.approvals.decide(decider.tenant, id, decision, entry),
      )
      context.changes.announce(decided.callId)
      if (form.verdict === 'approve') await continueCall(decided)
      else await continueParent(decided, context, continueCall)
      return decided
    },
    async delegate(by, id, to) {
      await context.administration.reload(by.tenant)
      const found = { approval: await getFor(by, id), to }
      return requireDecided(id, await delegateApproval(by, found, context))
    },
    async edit(editor, id, input) {
      await context.administration.reload(editor.tenant)
      const edit = { approval: await getFor(editor, id), input }
      return editRequest(editor, edit, context, { authorizeRequest, readFacts })
    },
  }
}

async function editRequest(
  editor: Caller,
  { approval, input }: { readonly approval: Approval; readonly input: unknown },
  context: LedgerContext,
  { authorizeRequest, readFacts }: Pick<ApprovalsApiOptions, 'authorizeRequest' | 'readFacts'>,
): Promise<Approval> {
  const { id } = approval
  refuseDecider(editor, approval, { kind: 'own' }, decisionRules(approval, context))
  const row = await context.stores.calls.get(editor.tenant, approval.callId)
  if (row === undefined) throw notFoundError(id)
  const { call, rule } = authorizeRequest(toEditedRequest(row, input), row.callId)
  if (call.key !== row.key) throw otherKeyError(call.tool.id)
  if (rule === undefined) throw notNeededError(call.tool.id)
  const facts = await readFacts(call, rule)
  const newId = context.entropy.newId('appr', context.clock.now())
  const edited = newApprovalRequest(call, rule, newId, {
    facts,
    editedBy: editor.principal,
    partOf: await readPartOf(row, context),
  })
  const change = {
    question: edited,
    call: toNewCall(call, context),
    audit: editEntry(edited, approval, editor, context),
  }
  return requireDecided(id, await context.stores.approvals.replace(editor.tenant, id, change))
}

function toDecision(
  decider: Caller,
  { verdict, reason }: DecisionForm,
  credential: Credential,
): Omit<Decision, 'at'> {
  return {
    verdict,
    by: decider.principal,
    credential: credential.kind,
    host: credential.kind === 'attested' ? credential.host : undefined,
    reason,
    ...(verdict === 'approve' ? { decider } : {}),
  }
}

// A run whose step was denied goes on with that.
async function continueParent(
  { tenant, callId }: Approval,
  { stores }: LedgerContext,
  continueCall: ApprovalsApiOptions['continueCall'],
): Promise<void> {
  const parentId = (await stores.calls.get(tenant, callId))?.parentId
  if (parentId !== undefined) await continueCall({ tenant, callId: parentId })
}

function toEditedRequest(row: CallRow, input: unknown): CallRequest {
  return {
    tool: row.toolId,
    input,
    caller: row.caller,
    surface: row.surface,
    requestId: row.requestId,
    // A key that is derived from the input is derived again from the edited input.
    ...(row.keySource === 'derived' ? {} : { idempotencyKey: row.key }),
  }
}

function requireDecided(id: string, decided: Decided): Approval {
  switch (decided.kind) {
    case 'decided':
      return decided.approval
    case 'closed':
      throw new ToolError(
        'TOOL_GATE_CLOSED',
        `The approval request ${id} is ${decided.approval.state} already.`,
        { details: { source_code: `approval_${decided.approval.state}`, approval_id: id } },
      )
    case 'missing':
      throw notFoundError(id)
  }
}

const PROOFS = { own: 'own credential', link: 'link in a message' } as const

/** The audit entry of a decision: who decided, with whose credential. */
function decisionEntry(
  approval: Approval,
  { verdict, credential, host, reason = '' }: Omit<Decision, 'at'>,
  decider: Caller,
  context: LedgerContext,
): AuditEntry {
  const isApproved = verdict === 'approve'
  const facts = {
    surface: credential === 'attested' ? `attested by ${host}` : PROOFS[credential],
    success: isApproved,
    outcome: isApproved ? 'approved' : 'denied',
    error: reason,
  }
  return approvalEntry(approval, decider, facts, context)
}

/** The audit entry of an edit: who changed the request, and the hash of the new input. */
function editEntry(
  edited: NewApproval,
  before: Approval,
  editor: Caller,
  context: LedgerContext,
): AuditEntry {
  const facts = {
    success: true,
    outcome: 'edited',
    tool_name: edited.toolId,
    tool_version: edited.toolVersion,
    definition_hash: edited.definitionHash,
    input: { hash: edited.inputHash, bytes: 0 },
    duration_ms: 0,
  }
  return approvalEntry(before, editor, facts, context)
}

function notFoundError(id: string): ToolError {
  return new ToolError('TOOL_RESOURCE_NOT_FOUND', `There is no approval request ${id}.`, {
    details: { approval_id: id },
  })
}

function notNeededError(toolId: string): ToolError {
  return new ToolError(
    'TOOL_INVALID_INPUT',
    `${toolId} with this input needs no approval. Call it instead.`,
  )
}

function otherKeyError(toolId: string): ToolError {
  return new ToolError(
    'TOOL_IDEMPOTENCY_CONFLICT',
    `With this input ${toolId} has another idempotency key, so it is another call. Deny this request and call the tool again.`,
  )
}

function linkError(id: string): ToolError {
  return new ToolError(
    'TOOL_INSUFFICIENT_PERMISSIONS',
    'A link in a message approves only confirmations that can be undone. Sign in to approve this.',
    { details: { approval_id: id } },
  )
}

function changedError(id: string): ToolError {
  const error = 'is not the digest of what is shown now'
  return new ToolError(
    'TOOL_INVALID_FIELD_VALUE',
    `The approval request ${id} has changed since it was shown. Look at it again.`,
    { details: { validation_errors: [{ field: 'digest', error, provided_value: null }] } },
  )
}
