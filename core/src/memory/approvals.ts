import type { Approval, ApprovalState } from '../call/approval.ts'
import type { CallRow, NewCall } from '../call/call-row.ts'
import type {
  ApprovalFilter,
  ApprovalStore,
  Asked,
  AskedAgain,
  Decided,
  NewApproval,
} from '../ports/approvals.ts'
import type { Fence } from '../ports/calls.ts'
import type { Clock } from '../ports/clock.ts'
import type { JobStore } from '../ports/jobs.ts'
import type { MemoryAudit } from './audit.ts'
import { enqueueParent, findOpenApproval, isKeyFree, newRow, rowUnderFence } from './call-row.ts'
import { type Ledger, listByExpiry } from './ledger.ts'

type ApprovalContext = {
  readonly ledger: Ledger
  readonly audit: MemoryAudit
  readonly jobs: JobStore
  readonly clock: Clock
}

// An unbounded list of a tenant's history would grow with every approval.
const MOST_LISTED = 1_000

/** Approval requests and decisions in memory; each method is one atomic step. */
export function memoryApprovals(context: ApprovalContext): ApprovalStore {
  const { ledger, audit, clock } = context
  function put(asked: NewApproval): Approval {
    const { expiresMs, ...question } = asked
    return ledger.putApproval({
      ...question,
      state: 'pending',
      createdAt: clock.now(),
      expiresAt: clock.now() + expiresMs,
      decision: undefined,
    })
  }

  function findRefusal(tenant: string, id: string): Decided | undefined {
    const approval = ledger.approval(tenant, id)
    if (approval === undefined) return { kind: 'missing' }
    return approval.state === 'pending' ? undefined : { kind: 'closed', approval }
  }

  return {
    ask: (question, call) => ask(question, call, { ledger, clock, put }),
    get: (tenant, id) => ledger.approval(tenant, id),
    list: (tenant, state, filter) => listApprovals(ledger.approvals(tenant), state, filter),
    decide(tenant, id, decision, entry) {
      const refused = findRefusal(tenant, id)
      if (refused !== undefined) return refused
      const pending = ledger.approval(tenant, id) as Approval
      const now = clock.now()
      const state = decision.verdict === 'approve' ? 'approved' : 'denied'
      // A denial is valid for as long as the request was open.
      const expiresAt =
        state === 'denied' ? now + (pending.expiresAt - pending.createdAt) : pending.expiresAt
      audit.append(entry)
      const approval = ledger.putApproval({
        ...pending,
        state,
        expiresAt,
        decision: { ...decision, at: now },
      })
      continueCall(approval, context)
      return { kind: 'decided', approval }
    },
    replace(tenant, id, { question, call, audit: entry }) {
      const refused = findRefusal(tenant, id)
      if (refused !== undefined) return refused
      const old = ledger.approval(tenant, id) as Approval
      const row = ledger.byCall(tenant, old.callId) as CallRow
      audit.append(entry)
      ledger.putApproval({ ...old, state: 'replaced' })
      const approval = put(question)
      ledger.put({
        ...row,
        ...call,
        keySource: row.keySource,
        parentId: row.parentId,
        approvalId: approval.id,
        updatedAt: clock.now(),
      })
      return { kind: 'decided', approval }
    },
    delegate(tenant, id, delegation, entry) {
      const refused = findRefusal(tenant, id)
      if (refused !== undefined) return refused
      audit.append(entry)
      const approval = ledger.putApproval({
        ...(ledger.approval(tenant, id) as Approval),
        delegation: { ...delegation, at: clock.now() },
      })
      return { kind: 'decided', approval }
    },
    waitingMark: (tenant, principal) => markWaiting(ledger.approvals(tenant), principal),
    askAgain: (fence, asked) => askAgain(fence, asked, { ledger, audit, clock, put }),
  }
}

function continueCall(approval: Approval, context: ApprovalContext): void {
  const { ledger, jobs, clock } = context
  const row = ledger.byCall(approval.tenant, approval.callId)
  // An approval does not bring back a call that was cancelled meanwhile.
  if (row?.state !== 'waiting' || row.approvalId !== approval.id) return
  const state = approval.state === 'approved' ? 'queued' : 'cancelled'
  ledger.put({ ...row, state, updatedAt: clock.now() })
  if (state === 'queued') void jobs.enqueue({ tenant: approval.tenant, callId: approval.callId }, 0)
  else enqueueParent(row, context)
}

function markWaiting(
  all: Parameters<typeof listApprovals>[0],
  principal: string | undefined,
): string {
  const filter = { principal, limit: Number.POSITIVE_INFINITY }
  const waiting = listApprovals(all, 'pending', filter)
  return JSON.stringify(waiting.map(({ id, delegation }) => [id, delegation?.at]))
}

function listApprovals(
  approvals: readonly Approval[],
  state: ApprovalState | undefined,
  {
    principal,
    toolId,
    since,
    until,
    before,
    expiringAfter,
    limit = MOST_LISTED,
  }: ApprovalFilter = {},
): readonly Approval[] {
  const end = before === undefined ? undefined : approvals.findIndex(({ id }) => id === before)
  const wanted = approvals
    .slice(0, end === -1 ? 0 : end)
    .filter(
      (approval) =>
        (state === undefined || approval.state === state) &&
        (principal === undefined || approval.principal === principal) &&
        (toolId === undefined || approval.toolId === toolId) &&
        (since === undefined || approval.createdAt >= since) &&
        (until === undefined || approval.createdAt < until),
    )
  return expiringAfter === undefined
    ? wanted.slice(-limit)
    : listByExpiry(wanted, expiringAfter).slice(0, limit)
}

type Asking = {
  readonly ledger: Ledger
  readonly clock: Clock
  readonly put: (asked: NewApproval) => Approval
}

function ask(question: NewApproval, call: NewCall, { ledger, clock, put }: Asking): Asked {
  const denial = ledger
    .approvals(call.tenant)
    .find((approval) => approval.state === 'denied' && isSameCall(approval, call))
  if (denial !== undefined) return { kind: 'denied', approval: denial }
  const existing = ledger.byKey(call)
  const open = findOpenApproval(existing, ledger)
  if (
    open !== undefined &&
    open.inputHash === call.inputHash &&
    open.definitionHash === call.definitionHash
  )
    return { kind: 'pending', approval: open }
  if (existing !== undefined && !isKeyFree(existing, ledger)) return { kind: 'held', row: existing }
  if (call.keySource === 'fresh') {
    const same = ledger
      .approvals(call.tenant)
      .find(
        (approval) =>
          approval.state === 'pending' &&
          isSameCall(approval, call) &&
          approval.definitionHash === call.definitionHash,
      )
    if (same !== undefined) return { kind: 'pending', approval: same }
  }
  const approval = put(question)
  ledger.put(newRow(call, existing, { state: 'waiting', approvalId: approval.id }, clock.now()))
  return { kind: 'asked', approval }
}

function askAgain(
  fence: Fence,
  { question, replaces, audit: entry }: AskedAgain,
  { ledger, audit, clock, put }: Asking & Pick<ApprovalContext, 'audit'>,
): Approval | undefined {
  const row = rowUnderFence(fence, ledger)
  if (row === undefined) return undefined
  const now = clock.now()
  audit.append(entry)
  const used = ledger.approval(fence.tenant, replaces)
  const voided = { reason: 'facts_changed', replacedBy: question.id, at: now } as const
  if (used?.decision !== undefined)
    ledger.putApproval({ ...used, decision: { ...used.decision, voided } })
  const approval = put(question)
  ledger.put({
    ...row,
    state: 'waiting',
    leaseUntil: undefined,
    effect: undefined,
    approvalId: approval.id,
    updatedAt: now,
  })
  return approval
}

function isSameCall(approval: Approval, call: NewCall): boolean {
  return (
    approval.principal === call.principal &&
    approval.toolId === call.toolId &&
    approval.inputHash === call.inputHash
  )
}
