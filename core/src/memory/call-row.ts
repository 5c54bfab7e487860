import type { Approval } from '../call/approval.ts'
import type { CallRow, NewCall, OpenCall } from '../call/call-row.ts'
import type { Ending, Fence, OpenCallFilter } from '../ports/calls.ts'
import type { Clock } from '../ports/clock.ts'
import type { JobStore } from '../ports/jobs.ts'
import type { Ledger } from './ledger.ts'

/** A row for a call. A released key keeps its provider key as long as the input is the same. */
export function newRow(
  call: NewCall,
  existing: CallRow | undefined,
  start: RowStart,
  now: number,
): CallRow {
  // Field by field: an object that grows out of a spread takes half as much memory again.
  return {
    tenant: call.tenant,
    principal: call.principal,
    toolId: call.toolId,
    key: call.key,
    callId: call.callId,
    keySource: call.keySource,
    toolVersion: call.toolVersion,
    definitionHash: call.definitionHash,
    inputHash: call.inputHash,
    input: call.input,
    providerKey: existing?.inputHash === call.inputHash ? existing.providerKey : call.providerKey,
    scopes: call.scopes,
    irreversible: call.irreversible,
    isSecret: call.isSecret,
    caller: call.caller,
    surface: call.surface,
    requestId: call.requestId,
    notify: call.notify,
    parentId: call.parentId,
    state: start.state,
    fence: (existing?.fence ?? 0) + 1,
    leaseUntil: start.leaseUntil,
    leaseBoot: start.leaseBoot,
    deaths: 0,
    approvalId: start.approvalId,
    effect: undefined,
    answer: undefined,
    isToStop: false,
    spentMs: 0,
    createdAt: now,
    updatedAt: now,
    readAt: now,
  }
}

type RowStart = {
  readonly state: CallRow['state']
  readonly leaseUntil?: number | undefined
  readonly leaseBoot?: CallRow['leaseBoot']
  readonly approvalId?: string
}

/** The row of a call that has ended, or that was queued again. */
export function finishRow(row: CallRow, ending: Ending, now: number): CallRow {
  return {
    ...row,
    state: ending.state,
    leaseUntil: undefined,
    leaseBoot: undefined,
    // Queued again because there was no effect: the next try must not mistake the announced effect
    // for one under way.
    effect: ending.state === 'queued' ? undefined : row.effect,
    answer: 'answer' in ending ? ending.answer : undefined,
    // A finished call never runs again, so its input is dropped; an unknown one may.
    input: ending.state === 'unknown' || ending.state === 'queued' ? row.input : '',
    updatedAt: now,
  }
}

/** The row, if this fence still holds its claim. */
export function rowUnderFence(fence: Fence, ledger: Ledger): CallRow | undefined {
  const row = ledger.byCall(fence.tenant, fence.callId)
  const isHeld =
    row !== undefined &&
    row.fence === fence.fence &&
    (row.state === 'claimed' || row.state === 'effect_started')
  return isHeld ? row : undefined
}

export function isAbandoned(row: CallRow, now: number): boolean {
  return row.leaseUntil !== undefined && row.leaseUntil <= now
}

type Approvals = Pick<Ledger, 'approval'>

/** The approval request of a waiting row, while it is pending. */
export function findOpenApproval(
  row: CallRow | undefined,
  ledger: Approvals,
): Approval | undefined {
  if (row?.state !== 'waiting' || row.approvalId === undefined) return undefined
  const approval = ledger.approval(row.tenant, row.approvalId)
  return approval?.state === 'pending' ? approval : undefined
}

/**
 * Whether another call may use the key. An expired approval request releases it, otherwise it would
 * be held for ever.
 */
export function isKeyFree(row: CallRow, ledger: Approvals): boolean {
  if (row.state === 'waiting') return findOpenApproval(row, ledger) === undefined
  return row.state === 'released' || row.state === 'cancelled'
}

type WakeContext = { readonly ledger: Ledger; readonly jobs: JobStore; readonly clock: Clock }

/** Queues a parked run; any other call is left alone. */
export function wake(row: CallRow | undefined, { ledger, jobs, clock }: WakeContext): void {
  if (row?.state !== 'parked') return
  ledger.notes.wakeAt.delete(row.callId)
  ledger.put({ ...row, state: 'queued', updatedAt: clock.now() })
  void jobs.enqueue({ tenant: row.tenant, callId: row.callId }, 0)
}

/** Queues the run that waits for a step which has ended. */
export function enqueueParent(row: CallRow, context: WakeContext): void {
  if (row.parentId !== undefined) wake(context.ledger.byCall(row.tenant, row.parentId), context)
}

const OPEN: ReadonlySet<string> = new Set<OpenCall['state']>([
  'queued',
  'parked',
  'claimed',
  'effect_started',
  'unknown',
])

type Dated = Pick<CallRow, 'createdAt' | 'callId'>

function newestFirst(left: Dated, right: Dated): number {
  if (left.callId === right.callId) return 0
  return right.createdAt - left.createdAt || (left.callId < right.callId ? 1 : -1)
}

/** Calls that wait, run or are unknown, the newest first. */
export function listOpen(
  { tenant, principal, unknownOf, before, limit }: OpenCallFilter,
  ledger: Ledger,
): readonly OpenCall[] {
  const last = before === undefined ? undefined : ledger.byCall(tenant, before)
  if (before !== undefined && last === undefined) return []
  return [...ledger.rows()]
    .filter(
      (row) =>
        row.tenant === tenant &&
        OPEN.has(row.state) &&
        (principal === undefined || row.principal === principal) &&
        (unknownOf === undefined || (row.state === 'unknown' && row.toolId === unknownOf)) &&
        (last === undefined || newestFirst(last, row) < 0),
    )
    .sort(newestFirst)
    .slice(0, limit)
    .map(({ callId, toolId, toolVersion, createdAt, updatedAt, ...row }) => ({
      callId,
      tenant,
      principal: row.principal,
      toolId,
      toolVersion,
      // The filter above lets only these states through.
      state: row.state as OpenCall['state'],
      createdAt,
      updatedAt,
    }))
}
