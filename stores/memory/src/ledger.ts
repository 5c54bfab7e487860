import { type Approval, type CallRow, type Clock, type KeyScope, type NewCall, scoped } from '@surehand/core'

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
  const rows = new Map<string, CallRow>()
  const keys = new Map<string, string>()
  const inputs = new Map<string, string[]>()
  const approvals = new Map<string, Approval>()

  function byCall(tenant: string, callId: string): CallRow | undefined {
    return rows.get(scoped(tenant, callId))
  }

  // rows stand in the order they came, so the oldest is first
  function prune(): void {
    for (const [name, row] of rows) {
      if (row.createdAt > clock.now() - KEEP_MS || row.leaseUntil !== undefined) return
      rows.delete(name)
      if (keys.get(keyName(row)) === name) keys.delete(keyName(row))
      inputs.delete(inputName(row))
    }
  }

  return {
    byCall,
    byKey(scope) {
      const name = keys.get(keyName(scope))
      return name === undefined ? undefined : rows.get(name)
    },
    put(row) {
      const name = scoped(row.tenant, row.callId)
      if (!rows.has(name)) {
        prune()
        const same = inputs.get(inputName(row))
        if (same === undefined) inputs.set(inputName(row), [name])
        else same.push(name)
      }
      rows.set(name, row)
      keys.set(keyName(row), name)
      return row
    },
    drop(row, earlier) {
      rows.delete(scoped(row.tenant, row.callId))
      keys.delete(keyName(row))
      if (earlier === undefined) return
      rows.set(scoped(earlier.tenant, earlier.callId), earlier)
      keys.set(keyName(earlier), scoped(earlier.tenant, earlier.callId))
    },
    sameInput: (call) => (inputs.get(inputName(call)) ?? []).flatMap((name) => rows.get(name) ?? []),
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

function keyName(scope: KeyScope): string {
  return scoped(scope.tenant, scope.principal, scope.toolId, scope.key)
}

function inputName(call: NewCall): string {
  return scoped(call.tenant, call.principal, call.toolId, call.inputHash)
}
