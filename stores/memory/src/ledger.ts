import { type Approval, type CallRow, type Clock, type KeyScope, type NewCall, scoped } from '@surehand/core'
import { createKeyIndex } from './key-index.ts'

/** The rows that calls and approvals share. Nothing awaits in here: each step is one turn of the loop, and so atomic. */
export type Ledger = {
  readonly byKey: (scope: KeyScope) => CallRow | undefined
  readonly byCall: (tenant: string, callId: string) => CallRow | undefined
  readonly put: (row: CallRow) => CallRow
  readonly drop: (row: CallRow, earlier: CallRow | undefined) => void
  readonly sameInput: (call: NewCall) => readonly CallRow[]
  readonly rows: () => Iterable<CallRow>
  readonly approval: (tenant: string, id: string) => Approval | undefined
  readonly putApproval: (approval: Approval) => Approval
  readonly approvals: (tenant: string) => readonly Approval[]
}

const KEEP_MS = 30 * 24 * 3_600_000

export function createLedger(clock: Clock): Ledger {
  // call ids are unique over tenants, so the tenant is compared and not hashed
  const rows = new Map<string, CallRow>()
  const keys = createKeyIndex()
  const inputs = new Map<string, string[]>()
  const approvals = new Map<string, Approval>()

  // rows stand in the order they came, so the oldest is first
  function prune(): void {
    for (const [callId, row] of rows) {
      if (row.createdAt > clock.now() - KEEP_MS || row.leaseUntil !== undefined) return
      rows.delete(callId)
      if (keys.get(row) === callId) keys.delete(row)
      inputs.delete(inputName(row))
    }
  }

  function add(row: CallRow): void {
    prune()
    keys.set(row, row.callId)
    if (!row.irreversible) return
    const name = inputName(row)
    const same = inputs.get(name)
    if (same === undefined) inputs.set(name, [row.callId])
    else same.push(row.callId)
  }

  return {
    byCall(tenant, callId) {
      const row = rows.get(callId)
      return row?.tenant === tenant ? row : undefined
    },
    byKey(scope) {
      const callId = keys.get(scope)
      return callId === undefined ? undefined : rows.get(callId)
    },
    put(row) {
      if (!rows.has(row.callId)) add(row)
      rows.set(row.callId, row)
      return row
    },
    drop(row, earlier) {
      rows.delete(row.callId)
      keys.delete(row)
      if (earlier === undefined) return
      rows.set(earlier.callId, earlier)
      keys.set(earlier, earlier.callId)
    },
    sameInput: (call) => (inputs.get(inputName(call)) ?? []).flatMap((callId) => rows.get(callId) ?? []),
    rows: () => rows.values(),
    approval: (tenant, id) => lapsed(approvals.get(scoped(tenant, id)), clock),
    putApproval(approval) {
      approvals.set(scoped(approval.tenant, approval.id), approval)
      return approval
    },
    approvals: (tenant) =>
      [...approvals.values()].filter((approval) => approval.tenant === tenant).flatMap((approval) => lapsed(approval, clock) ?? []),
  }
}

// nobody marks a question expired: whoever looks after the time sees it so
function lapsed(approval: Approval | undefined, clock: Clock): Approval | undefined {
  if (approval === undefined || clock.now() < approval.expiresAt) return approval
  return approval.state === 'pending' || approval.state === 'approved' || approval.state === 'denied'
    ? { ...approval, state: 'expired' }
    : approval
}

function inputName(call: NewCall): string {
  return scoped(call.tenant, call.principal, call.toolId, call.inputHash)
}
