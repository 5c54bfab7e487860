import type { CallRow, CallStore, Claim, ClaimRequest, Clock, Ending, Evidence, Fence, JobStore, LocalRun, NewCall } from '@surehand/core'
import { hashJson, scoped } from '@surehand/core'
import type { MemoryAudit } from './audit.ts'
import type { Database } from './database.ts'
import type { Ledger } from './ledger.ts'

type CallParts = {
  readonly ledger: Ledger
  readonly audit: MemoryAudit
  readonly jobs: JobStore
  readonly clock: Clock
  readonly database: Database
}

const DONE_OR_UNDER_WAY: ReadonlySet<string> = new Set(['queued', 'claimed', 'effect_started', 'succeeded', 'unknown'])

/** The ledger in memory. */
export function memoryCalls({ ledger, audit, jobs, clock, database }: CallParts): CallStore {
  function changed(row: CallRow, change: Partial<CallRow>): CallRow {
    return ledger.put({ ...row, ...change, updatedAt: clock.now() })
  }

  function ours(fence: Fence): CallRow | undefined {
    const row = ledger.byCall(fence.tenant, fence.callId)
    const isHeld = row !== undefined && row.fence === fence.fence && (row.state === 'claimed' || row.state === 'effect_started')
    return isHeld ? row : undefined
  }

  const claim = (request: ClaimRequest): Claim => (request.resumes ? resume(request, ledger, clock) : claimFresh(request, ledger, clock))

  return {
    find: (scope) => ledger.byKey(scope),
    get: (tenant, callId) => ledger.byCall(tenant, callId),
    recent: (call, sinceMs) =>
      ledger.sameInput(call).findLast((row) => DONE_OR_UNDER_WAY.has(row.state) && row.createdAt > clock.now() - sinceMs),
    queue(call) {
      const existing = ledger.byKey(call)
      if (existing !== undefined && !isFree(existing)) return { kind: 'held', row: existing }
      const row = ledger.put(newRow(call, existing, { state: 'queued' }, clock))
      void jobs.enqueue({ tenant: call.tenant, callId: call.callId }, 0)
      return { kind: 'queued', row }
    },
    claim,
    startEffect(fence, effect, intent) {
      const row = ours(fence)
      if (row === undefined || isAbandoned(row, clock)) return false
      audit.append(intent)
      ledger.put({
        ...row,
        state: 'effect_started',
        effect: { ...effect, startedAt: row.effect?.startedAt ?? clock.now(), lastStartedAt: clock.now() },
        updatedAt: clock.now(),
      })
      return true
    },
    renew(fence, leaseMs) {
      const row = ours(fence)
      if (row !== undefined) changed(row, { leaseUntil: clock.now() + leaseMs })
      return row !== undefined
    },
    finish(fence, ending, entry) {
      const row = ours(fence)
      if (row === undefined) return false
      audit.append(entry)
      ledger.put(ended(row, ending, clock))
      return true
    },
    abandon(fence) {
      const row = ours(fence)
      if (row !== undefined) changed(row, { leaseUntil: clock.now() })
      return row !== undefined
    },
    transact: (run) => database.exclusively((apply) => transact(run, apply, { ledger, audit, clock, claim })),
    cancel(tenant, callId) {
      const row = ledger.byCall(tenant, callId)
      if (row === undefined || (row.state !== 'waiting' && row.state !== 'queued')) return false
      changed(row, { state: 'cancelled' })
      closeQuestion(row, ledger, clock)
      return true
    },
    ...memoryEvidence(),
    resolve(tenant, callId, ending, entry) {
      const row = ledger.byCall(tenant, callId)
      if (row?.state !== 'unknown') return false
      ledger.put(ended(row, ending, clock))
      audit.append(entry)
      return true
    },
    abandoned: (limit) => [...ledger.rows()].filter((row) => isAbandoned(row, clock)).slice(0, limit),
    query: (sql, ...parameters) => database.all(sql, parameters),
  }
}

function ended(row: CallRow, ending: Ending, clock: Clock): CallRow {
  return {
    ...row,
    state: ending.state,
    leaseUntil: undefined,
    answer: 'answer' in ending ? ending.answer : undefined,
    // what has ended never runs again, so its input need not be kept; what nobody knows may
    input: ending.state === 'unknown' || ending.state === 'queued' ? row.input : '',
    updatedAt: clock.now(),
  }
}

function memoryEvidence(): Pick<CallStore, 'addEvidence' | 'evidence'> {
  const evidence = new Map<string, Evidence[]>()
  return {
    addEvidence(fence, found) {
      const name = scoped(fence.tenant, fence.callId)
      evidence.set(name, [...(evidence.get(name) ?? []), found])
    },
    evidence: (tenant, callId) => evidence.get(scoped(tenant, callId)) ?? [],
  }
}

function claimFresh({ call, leaseMs }: ClaimRequest, ledger: Ledger, clock: Clock): Claim {
  const existing = ledger.byKey(call)
  if (existing !== undefined && !isFree(existing)) return { kind: 'held', row: existing }
  return { kind: 'claimed', row: ledger.put(newRow(call, existing, { state: 'claimed', leaseUntil: clock.now() + leaseMs }, clock)) }
}

function resume({ call, leaseMs }: ClaimRequest, ledger: Ledger, clock: Clock): Claim {
  const row = ledger.byCall(call.tenant, call.callId)
  // what comes back finds its row or does nothing: a job that outlived its row must not run anew
  if (row === undefined) return { kind: 'approval_lapsed' }
  const isQueued = row.state === 'queued'
  if (!isQueued && !isAbandoned(row, clock)) return { kind: 'held', row }
  if (isQueued && !useApproval(row, ledger)) return { kind: 'approval_lapsed' }
  const kind = row.state === 'effect_started' ? 'recover' : 'claimed'
  const state = kind === 'recover' ? 'effect_started' : 'claimed'
  return { kind, row: ledger.put({ ...row, state, fence: row.fence + 1, leaseUntil: clock.now() + leaseMs, updatedAt: clock.now() }) }
}

// nobody is asked about a call that is gone
function closeQuestion(row: CallRow, ledger: Ledger, clock: Clock): void {
  const approval = row.approvalId === undefined ? undefined : ledger.approval(row.tenant, row.approvalId)
  if (approval?.state === 'pending') ledger.putApproval({ ...approval, state: 'expired', expiresAt: clock.now() })
}

// the use and the claim are one step: a yes opens one call, once
function useApproval(row: CallRow, ledger: Ledger): boolean {
  if (row.approvalId === undefined) return true
  const approval = ledger.approval(row.tenant, row.approvalId)
  // used by this very call, which then could do nothing and went back on the list
  if (approval?.state === 'used') return approval.callId === row.callId
  if (approval?.state !== 'approved') return false
  ledger.putApproval({ ...approval, state: 'used' })
  return true
}

function isFree(row: CallRow): boolean {
  return row.state === 'released' || row.state === 'cancelled'
}

function isAbandoned(row: CallRow, clock: Clock): boolean {
  return row.leaseUntil !== undefined && row.leaseUntil <= clock.now()
}

/** A row for a call. A freed key keeps the provider's key while the same is meant. */
export function newRow(call: NewCall, existing: CallRow | undefined, start: RowStart, clock: Clock): CallRow {
  const now = clock.now()
  return {
    ...call,
    providerKey: existing?.inputHash === call.inputHash ? existing.providerKey : call.providerKey,
    state: start.state,
    fence: (existing?.fence ?? 0) + 1,
    leaseUntil: start.leaseUntil,
    approvalId: start.approvalId,
    effect: undefined,
    answer: undefined,
    createdAt: now,
    updatedAt: now,
  }
}

export type RowStart = { readonly state: CallRow['state']; readonly leaseUntil?: number; readonly approvalId?: string }

type Transacting = {
  readonly ledger: Ledger
  readonly audit: MemoryAudit
  readonly clock: Clock
  readonly claim: (request: ClaimRequest) => Claim
}

async function transact(
  run: LocalRun,
  apply: (run: LocalRun, clock: Clock) => Promise<unknown>,
  { ledger, audit, clock, claim }: Transacting,
): ReturnType<CallStore['transact']> {
  const earlier = ledger.byKey(run.claim.call)
  const claimed = claim(run.claim)
  if (claimed.kind === 'held' || claimed.kind === 'approval_lapsed') return claimed
  try {
    const result = await apply(run, clock)
    audit.append({ ...run.audit, output: { hash: hashJson(result ?? null), bytes: 0 } })
    const row = ledger.put({
      ...claimed.row,
      state: 'succeeded',
      leaseUntil: undefined,
      answer: { kind: 'output', json: JSON.stringify(result ?? null), warnings: [] },
      updatedAt: clock.now(),
    })
    return { kind: 'done', row, result }
  } catch (thrown) {
    ledger.drop(claimed.row, earlier)
    throw thrown
  }
}
