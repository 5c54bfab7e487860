import type { BootTime, CallRow, EffectBootTimes, EffectMark, NewCall } from '../call/call-row.ts'
import type { AdminStore } from '../ports/administration.ts'
import type { AuditEntry } from '../ports/audit.ts'
import type { CallStore, Claim, ClaimRequest, Ending, LocalRun } from '../ports/calls.ts'
import type { Clock } from '../ports/clock.ts'
import type { JobStore } from '../ports/jobs.ts'
import type { MemoryAudit } from './audit.ts'
import {
  enqueueParent,
  finishRow,
  isAbandoned,
  isKeyFree,
  listOpen,
  newRow,
  rowUnderFence,
} from './call-row.ts'
import type { Applied, Database } from './database.ts'
import type { Ledger } from './ledger.ts'

type CallContext = {
  readonly ledger: Ledger
  readonly audit: MemoryAudit
  readonly jobs: JobStore
  readonly clock: Clock
  readonly database: Database
  readonly admin: AdminStore & { readonly version: (tenant: string) => number }
}

// A worker is woken as soon as a call is queued; after this time the wake-up counts as lost.
const LOST_AFTER_MS = 60_000

const DONE_OR_UNDER_WAY: ReadonlySet<string> = new Set([
  'queued',
  'parked',
  'claimed',
  'effect_started',
  'succeeded',
  'unknown',
])

/** The ledger in memory. */
export function memoryCalls(context: CallContext): CallStore {
  const { ledger, audit, jobs, clock, database } = context
  function change(row: CallRow, changes: Partial<CallRow>): CallRow {
    return ledger.put({ ...row, ...changes, updatedAt: clock.now() })
  }

  const claim = (request: ClaimRequest): Claim => {
    const claimed = request.resumes ? resume(request, context) : claimFresh(request, context)
    // A new row has just been read.
    const isRead = claimed.kind === 'claimed' && !request.resumes
    return isRead || !('row' in claimed)
      ? claimed
      : { ...claimed, row: readNow(claimed.row, clock) }
  }

  return {
    find: (scope) => readNow(ledger.byKey(scope), clock),
    get: (tenant, callId) => readNow(ledger.byCall(tenant, callId), clock),
    recent: (call, sinceMs) => findRecent(call, sinceMs, { ledger, clock }),
    queue: (call, guardMs) => queue(call, guardMs, { ledger, jobs, clock }),
    claim,
    startEffect(fence, mark, intent, at) {
      const row = rowUnderFence(fence, ledger)
      const now = clock.now()
      if (row === undefined || isAbandoned(row, now)) return false
      audit.appendAt(intent, now)
      const effect = startedEffect(mark, row.effect, at, now)
      ledger.replace(row, { ...row, state: 'effect_started', effect, updatedAt: now })
      return true
    },
    renew(fence, leaseMs, at) {
      const row = rowUnderFence(fence, ledger)
      if (row !== undefined) change(row, newLease(leaseMs, at, clock.now()))
      return row !== undefined
    },
    finish(fence, ending, entry) {
      const row = rowUnderFence(fence, ledger)
      if (row === undefined) return false
      finishAt(row, { ending, entry, now: clock.now() }, context)
      return true
    },
    isToStop: (tenant, callId) => ledger.byCall(tenant, callId)?.isToStop ?? false,
    abandon(fence) {
      const row = rowUnderFence(fence, ledger)
      if (row !== undefined) change(row, { leaseUntil: 0, leaseBoot: undefined })
      return row !== undefined
    },
    transact: (run) =>
      database.exclusively((apply) => transact(run, apply, { ledger, audit, jobs, clock, claim })),
    postpone(tenant, callId, delayMs) {
      const row = ledger.byCall(tenant, callId)
      if (row === undefined || (row.state !== 'queued' && !isAbandoned(row, clock.now()))) return
      change(row, {})
      return jobs.enqueue({ tenant, callId }, delayMs)
    },
    cancel: (tenant, callId) => cancel(tenant, callId, context),
    addEvidence: (fence, found) => ledger.addEvidence(fence.tenant, fence.callId, found),
    evidence: ledger.evidence,
    resolve(tenant, callId, ending, entry) {
      const row = ledger.byCall(tenant, callId)
      if (row?.state !== 'unknown') return false
      ledger.put(finishRow(row, ending, clock.now()))
      audit.append(entry)
      enqueueParent(row, context)
      return true
    },
    open: (filter) => listOpen(filter, ledger),
    abandoned: (limit, at) => listAbandoned(limit, at, context),
    now: clock.now,
    query: (sql, ...parameters) => database.query(sql, parameters),
  }
}

type Finish = { readonly ending: Ending; readonly entry: AuditEntry; readonly now: number }

function finishAt(row: CallRow, { ending, entry, now }: Finish, context: CallContext): void {
  context.audit.appendAt(entry, now)
  context.ledger.replace(row, finishRow(row, ending, now))
  if (ending.state !== 'queued') enqueueParent(row, context)
}

type Effect = NonNullable<CallRow['effect']>

function startedEffect(
  mark: EffectMark,
  earlier: Effect | undefined,
  at: BootTime | undefined,
  now: number,
): Effect {
  return {
    ...mark,
    startedAt: earlier?.startedAt ?? now,
    lastStartedAt: now,
    bootTimes: at && startTimes(at, earlier),
  }
}

function startTimes({ boot, ticks }: BootTime, earlier: Effect | undefined): EffectBootTimes {
  const before = earlier?.bootTimes?.boot === boot ? earlier.bootTimes.startedTicks : undefined
  return {
    boot,
    startedTicks: earlier === undefined ? ticks : before,
    lastStartedTicks: ticks,
  }
}

function cancel(tenant: string, callId: string, context: CallContext): boolean {
  const { ledger, clock } = context
  const row = ledger.byCall(tenant, callId)
  if (row === undefined || (row.state !== 'waiting' && row.state !== 'queued')) return false
  // A run with a journal has begun, even if it is queued again.
  if (ledger.notes.journals.has(callId)) return false
  ledger.put({ ...row, state: 'cancelled', updatedAt: clock.now() })
  expireApproval(row, ledger, clock)
  enqueueParent(row, context)
  return true
}

function listAbandoned(
  limit: number,
  at: BootTime | undefined,
  { ledger, clock }: CallContext,
): readonly CallRow[] {
  const isOver = ({ leaseBoot }: CallRow): boolean =>
    leaseBoot !== undefined && leaseBoot.boot === at?.boot && leaseBoot.ticks <= at.ticks
  return [...ledger.rows()]
    .filter((row) => isAbandoned(row, clock.now()) || isOver(row) || isWakeUpLost(row, clock))
    .sort((left, right) => left.updatedAt - right.updatedAt)
    .slice(0, limit)
    .map((row) => readNow(row, clock))
}

type Queued = Awaited<ReturnType<CallStore['queue']>>
type Queueing = Pick<CallContext, 'ledger' | 'jobs' | 'clock'>

function queue(
  call: NewCall,
  guardMs: number | undefined,
  { ledger, jobs, clock }: Queueing,
): Queued {
  const existing = ledger.byKey(call)
  if (existing !== undefined && !isKeyFree(existing, ledger)) return { kind: 'held', row: existing }
  const earlier = findRecent(call, guardMs, { ledger, clock })
  if (earlier !== undefined) return { kind: 'duplicate', row: earlier }
  const row = ledger.put(newRow(call, existing, { state: 'queued' }, clock.now()))
  void jobs.enqueue({ tenant: call.tenant, callId: call.callId }, 0)
  return { kind: 'queued', row }
}

/**
 * The newest call with the same input within the window that was done or begun; for a reversible
 * write only one whose outcome is unknown.
 */
function findRecent(
  call: NewCall,
  sinceMs: number | undefined,
  { ledger, clock }: Pick<CallContext, 'ledger' | 'clock'>,
): CallRow | undefined {
  if (sinceMs === undefined) return undefined
  return ledger
    .sameInput(call)
    .findLast(
      (row) =>
        row.callId !== call.callId &&
        (call.irreversible ? DONE_OR_UNDER_WAY.has(row.state) : row.state === 'unknown') &&
        row.createdAt > clock.now() - sinceMs,
    )
}

function claimFresh(request: ClaimRequest, { ledger, clock, admin }: CallContext): Claim {
  const { call, leaseMs, at, guardMs } = request
  const existing = ledger.byKey(call)
  if (existing !== undefined && !isKeyFree(existing, ledger)) return { kind: 'held', row: existing }
  if (isOutdated(request, admin)) return { kind: 'outdated' }
  const earlier = findRecent(call, guardMs, { ledger, clock })
  if (earlier !== undefined) return { kind: 'duplicate', row: earlier }
  const now = clock.now()
  const { leaseUntil, leaseBoot } = newLease(leaseMs, at, now)
  const row = newRow(call, existing, { state: 'claimed', leaseUntil, leaseBoot }, now)
  return { kind: 'claimed', row: ledger.put(row) }
}

function resume(request: ClaimRequest, { ledger, clock, admin }: CallContext): Claim {
  const { call, leaseMs, at } = request
  const row = ledger.byCall(call.tenant, call.callId)
  // A job whose row was pruned must not run again.
  if (row === undefined) return { kind: 'approval_lapsed' }
  const isQueued = row.state === 'queued'
  if (!isQueued && !mayTakeOver(request, row, clock)) return { kind: 'held', row }
  if (isApprovedAnew(request, row)) return { kind: 'held', row }
  // A call whose effect has begun must be finished, whatever an administrator changed since.
  if (row.effect === undefined && isOutdated(request, admin)) return { kind: 'outdated' }
  if (isBusy(request, ledger, clock)) return { kind: 'busy' }
  if (isQueued && !useApproval(row, ledger)) return { kind: 'approval_lapsed' }
  const kind = row.state === 'effect_started' ? 'recover' : 'claimed'
  const state = kind === 'recover' ? 'effect_started' : 'claimed'
  return {
    kind,
    row: ledger.put({
      ...row,
      state,
      fence: row.fence + 1,
      ...newLease(leaseMs, at, clock.now()),
      ...countDeath(row, ledger),
      updatedAt: clock.now(),
    }),
  }
}

function mayTakeOver({ expired }: ClaimRequest, row: CallRow, clock: Clock): boolean {
  return expired === undefined
    ? isAbandoned(row, clock.now())
    : row.leaseUntil !== undefined &&
        row.fence === expired.fence &&
        row.leaseUntil === expired.leaseUntil
}

function newLease(
  leaseMs: number,
  at: BootTime | undefined,
  now: number,
): Pick<CallRow, 'leaseUntil' | 'leaseBoot'> {
  return {
    leaseUntil: now + leaseMs,
    leaseBoot: at && { boot: at.boot, ticks: at.ticks + leaseMs },
  }
}

// A claim that was given up on purpose, or a row that was queued, left no dead process behind.
function countDeath(row: CallRow, ledger: Ledger): Pick<CallRow, 'deaths'> {
  if (row.leaseUntil === undefined || row.leaseUntil === 0) return { deaths: row.deaths }
  const { journals, deathAt } = ledger.notes
  const answers = [...(journals.get(row.callId)?.values() ?? [])].filter(
    ({ answer }) => answer !== undefined,
  ).length
  const isSamePlace = (deathAt.get(row.callId) ?? answers) === answers
  deathAt.set(row.callId, answers)
  return { deaths: isSamePlace ? row.deaths + 1 : 1 }
}

function isApprovedAnew({ approvalId }: ClaimRequest, row: CallRow): boolean {
  return approvalId !== undefined && row.approvalId !== approvalId
}

function isBusy({ call, atMost }: ClaimRequest, ledger: Ledger, clock: Clock): boolean {
  if (atMost === undefined) return false
  const isLive = (row: CallRow) => row.leaseUntil !== undefined && row.leaseUntil > clock.now()
  const isOther = (row: CallRow) =>
    row.tenant === call.tenant && row.toolId === call.toolId && row.callId !== call.callId
  return [...ledger.rows()].filter((row) => isOther(row) && isLive(row)).length >= atMost
}

function isOutdated({ call, adminVersion }: ClaimRequest, admin: CallContext['admin']): boolean {
  return adminVersion !== undefined && admin.version(call.tenant) !== adminVersion
}

function readNow<R extends CallRow | undefined>(row: R, clock: Clock): R {
  return row === undefined ? row : { ...row, readAt: clock.now() }
}

// A cancelled call needs no approval any more.
function expireApproval(row: CallRow, ledger: Ledger, clock: Clock): void {
  const approval =
    row.approvalId === undefined ? undefined : ledger.approval(row.tenant, row.approvalId)
  if (approval?.state === 'pending')
    ledger.putApproval({ ...approval, state: 'expired', expiresAt: clock.now() })
}

// Using the approval and claiming the call are one step: an approval covers one call, once.
function useApproval(row: CallRow, ledger: Ledger): boolean {
  if (row.approvalId === undefined) return true
  const approval = ledger.approval(row.tenant, row.approvalId)
  // It was used by this call, which had no effect then and was queued again.
  if (approval?.state === 'used') return approval.callId === row.callId
  if (approval?.state !== 'approved') return false
  ledger.putApproval({ ...approval, state: 'used' })
  return true
}

function isWakeUpLost(row: CallRow, clock: Clock): boolean {
  // A row from the future is from before the clock was set back: its wake-up may be far away.
  const ageMs = clock.now() - row.updatedAt
  return row.state === 'queued' && (ageMs >= LOST_AFTER_MS || ageMs < -1_000)
}

type TransactContext = {
  readonly ledger: Ledger
  readonly audit: MemoryAudit
  readonly jobs: JobStore
  readonly clock: Clock
  readonly claim: (request: ClaimRequest) => Claim
}

/**
 * Claim, effect, audit and answer, or none of them. Runs inside the database's queue, so no other
 * call can take over the row meanwhile.
 */
async function transact(
  run: LocalRun,
  apply: (run: LocalRun, clock: Clock) => Promise<Applied>,
  context: TransactContext,
): ReturnType<CallStore['transact']> {
  const { ledger, audit, clock, claim } = context
  const { call, resumes } = run.claim
  const earlier = resumes ? ledger.byCall(call.tenant, call.callId) : ledger.byKey(call)
  const claimed = claim(run.claim)
  if (claimed.kind !== 'claimed' && claimed.kind !== 'recover') return claimed
  const applied = await apply(run, clock).catch((thrown: unknown) => {
    ledger.drop(claimed.row, earlier)
    throw thrown
  })
  // Committed: from here on nothing may fail.
  audit.append({ ...run.audit, output: { hash: applied.hash, bytes: 0 } })
  const answer = { kind: 'output', json: applied.json, warnings: [] } as const
  const { tenant, callId, fence, parentId, isSecret } = claimed.row
  ledger.put(finishRow(claimed.row, { state: 'succeeded', answer, isSecret }, clock.now()))
  enqueueParent(claimed.row, context)
  return { kind: 'done', fence: { tenant, callId, fence, parentId }, result: applied.result }
}
