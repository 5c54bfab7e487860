import type { Approval } from '../call/approval.ts'
import type { CallRow, KeyScope, NewCall } from '../call/call-row.ts'
import { scoped } from '../call/scope.ts'
import type { Evidence } from '../ports/calls.ts'
import type { Clock } from '../ports/clock.ts'
import { createInputIndex } from './input-index.ts'
import { createKeyIndex } from './key-index.ts'
import { findOpenApproval } from './open-question.ts'
import { createRunNotes, type RunNotes } from './run-notes.ts'
import { sweepPeriodically } from './sweep-often.ts'

/** The rows that calls and approvals share. Nothing awaits in here: each step is one turn of the loop, and so atomic. */
export type Ledger = {
  readonly byKey: (scope: KeyScope) => CallRow | undefined
  readonly byCall: (tenant: string, callId: string) => CallRow | undefined
  readonly put: (row: CallRow) => CallRow
  /** Takes back a claim that came to nothing; `earlier` is what stood there before it. */
  readonly drop: (row: CallRow, earlier: CallRow | undefined) => void
  readonly sameInput: (call: NewCall) => readonly CallRow[]
  readonly rows: () => Iterable<CallRow>
  readonly approval: (tenant: string, id: string) => Approval | undefined
  readonly putApproval: (approval: Approval) => Approval
  readonly approvals: (tenant: string) => readonly Approval[]
  readonly addEvidence: (tenant: string, callId: string, found: Evidence) => void
  readonly evidence: (tenant: string, callId: string) => readonly Evidence[]
  /** Forgotten with their calls. */
  readonly notes: RunNotes
}

type Kept = {
  readonly rows: Map<string, CallRow>
  readonly approvals: Map<string, Approval>
  readonly evidence: Map<string, readonly Evidence[]>
}

export function createLedger(clock: Clock): Ledger {
  // call ids are unique over tenants, so the tenant is compared and not hashed; rows stand in the order they came
  const kept: Kept = { rows: new Map(), approvals: new Map(), evidence: new Map() }
  const { rows, approvals, evidence } = kept
  const keys = createKeyIndex()
  const inputs = createInputIndex()
  const notes = createRunNotes()
  const written = sweepPeriodically(() => prune(kept, remove, clock))

  function remove(row: CallRow): void {
    rows.delete(row.callId)
    evidence.delete(row.callId)
    notes.forget(row.callId)
    if (keys.get(row) === row.callId) keys.delete(row)
    inputs.remove(row)
  }

  function put(row: CallRow): CallRow {
    const before = rows.get(row.callId)
    if (before === undefined || before.createdAt !== row.createdAt) {
      // made anew: it stands where its new age belongs
      if (before !== undefined) inputs.remove(before)
      rows.delete(row.callId)
      notes.forget(row.callId)
      keys.set(row, row.callId)
      inputs.add(row)
      written()
    } else if (before.inputHash !== row.inputHash) {
      inputs.remove(before)
      inputs.add(row)
    }
    rows.set(row.callId, row)
    return row
  }

  function byCall(tenant: string, callId: string): CallRow | undefined {
    const row = rows.get(callId)
    return row?.tenant === tenant ? row : undefined
  }

  return {
    byCall,
    byKey(scope) {
      const callId = keys.get(scope)
      return callId === undefined ? undefined : rows.get(callId)
    },
    put,
    drop(row, earlier) {
      if (earlier?.callId !== row.callId) remove(row)
      if (earlier === undefined) return
      // the raised fence stays: it counts the tries, and pauses grow by it
      if (earlier.callId === row.callId)
        put({ ...earlier, fence: row.fence, updatedAt: clock.now() })
      else keys.set(earlier, earlier.callId)
    },
    sameInput: (call) => inputs.get(call).flatMap((callId) => rows.get(callId) ?? []),
    rows: () => rows.values(),
    approval: (tenant, id) => lapsed(approvals.get(scoped(tenant, id)), clock),
    putApproval(approval) {
      written()
      approvals.set(scoped(approval.tenant, approval.id), approval)
      return approval
    },
    approvals: (tenant) =>
      [...approvals.values()]
        .filter((approval) => approval.tenant === tenant)
        .flatMap((approval) => lapsed(approval, clock) ?? []),
    addEvidence(tenant, callId, found) {
      // evidence of a call that is forgotten proves nothing any more
      if (byCall(tenant, callId) !== undefined)
        evidence.set(callId, [...(evidence.get(callId) ?? []), found])
    },
    evidence: (tenant, callId) =>
      byCall(tenant, callId) === undefined ? [] : (evidence.get(callId) ?? []),
    notes,
  }
}

// nobody marks a question expired: whoever looks after the time sees it so
function lapsed(approval: Approval | undefined, clock: Clock): Approval | undefined {
  if (approval === undefined || clock.now() < approval.expiresAt) return approval
  return approval.state === 'pending' ||
    approval.state === 'approved' ||
    approval.state === 'denied'
    ? { ...approval, state: 'expired' }
    : approval
}

const KEEP_MS = 30 * 24 * 3_600_000
// what can't be undone is answered from its row for a further thirty days: forgotten, the key would run it again
const KEEP_IRREVERSIBLE_MS = 2 * KEEP_MS

/** Forgets what ended long ago; answers how much it left behind. */
function prune({ rows, approvals }: Kept, remove: (row: CallRow) => void, clock: Clock): number {
  const now = clock.now()
  let passed = 0
  for (const row of rows.values()) {
    // the oldest stand first: from here on nothing is old enough
    if (row.createdAt > now - KEEP_MS) break
    const isOld = row.updatedAt <= now - (row.irreversible ? KEEP_IRREVERSIBLE_MS : KEEP_MS)
    if (isOld && hasEnded(row, approvals, clock)) remove(row)
    else passed++
  }
  for (const [name, approval] of approvals) {
    const row = rows.get(approval.callId)
    const isNeeded =
      row !== undefined && row.approvalId === approval.id && !hasEnded(row, approvals, clock)
    if (approval.expiresAt <= now - KEEP_MS && !isNeeded) approvals.delete(name)
  }
  return passed + approvals.size
}

// what is queued, parked, under way or unknown is somebody's, however old it is
function hasEnded(row: CallRow, approvals: Kept['approvals'], clock: Clock): boolean {
  const approval = (tenant: string, id: string) => lapsed(approvals.get(scoped(tenant, id)), clock)
  switch (row.state) {
    case 'succeeded':
    case 'failed':
    case 'cancelled':
    case 'released':
    case 'pruned':
      return true
    case 'waiting':
      return findOpenApproval(row, { approval }) === undefined
    case 'queued':
    case 'parked':
    case 'claimed':
    case 'effect_started':
    case 'unknown':
      return false
  }
}
