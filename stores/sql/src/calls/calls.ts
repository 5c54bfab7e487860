import type {
  CallRow,
  CallStore,
  Claim,
  ClaimRequest,
  Evidence,
  Fence,
  NewCall,
} from '@surehand/core/ports'
import type { Database } from '../database.ts'
import { boundTo, type Sealing } from '../sealing.ts'
import { defineStep } from '../step.ts'
import { claimKey, claimRow, claimUnused } from './claim.ts'
import { abandon, finish, finishStep, renew, resolveUnknown, startEffect } from './fenced.ts'
import {
  abandonedCalls,
  type CallName,
  evidenceOf,
  findCall,
  getCall,
  isToStop,
  openCalls,
  readClock,
  recentCall,
} from './looks.ts'
import { place } from './place.ts'
import { wakeParent } from './wake.ts'

const UNREADABLE_MS = 60_000

/** The ledger: the call store in SQL. */
export function sqlCalls(
  database: Database,
  sealing: Sealing,
  onTrouble: (error: unknown) => void,
): CallStore {
  const seal = (request: ClaimRequest): ClaimRequest => ({
    ...request,
    call: sealing.call(request.call),
  })
  const open = <T extends object>(answer: T): T =>
    'row' in answer ? { ...answer, row: sealing.row(answer.row as CallRow | undefined) } : answer

  // A row that this node cannot decrypt must not stop the sweep of all others.
  async function readable(row: CallRow): Promise<readonly CallRow[]> {
    try {
      return [sealing.row(row)]
    } catch (thrown) {
      onTrouble(thrown)
      const { tenant, callId } = row
      await database.step(postpone, { tenant, callId, delayMs: UNREADABLE_MS })
      return []
    }
  }

  return {
    find: async (scope) => sealing.row(await database.step(findCall, scope)),
    get: async (tenant, callId) => sealing.row(await database.step(getCall, { tenant, callId })),
    recent: async (call, sinceMs) =>
      sealing.row(await database.step(recentCall, { call, sinceMs })),
    queue: async (call, guardMs) =>
      open(await database.step(queueCall, { call: sealing.call(call), guardMs })),
    claim: async (request) =>
      open(
        await (request.resumes
          ? database.step(claimRow, request)
          : claimFresh(database, seal(request))),
      ),
    startEffect: (fence, effect, intent, at) =>
      database.step(startEffect, { fence, effect, intent: sealing.record(intent), at }),
    renew: (fence, leaseMs, at) => database.step(renew, { fence, leaseMs, at }),
    isToStop: (tenant, callId) => database.step(isToStop, { tenant, callId }),
    finish: (fence, ending, audit) =>
      database.step(fence.parentId === undefined ? finish : finishStep, {
        fence,
        ending: sealing.ending(ending, fence),
        audit: sealing.record(audit),
      }),
    abandon: (fence) => database.step(abandon, { fence }),
    transact: async (run) =>
      open(await database.transact(run.claim.resumes ? run : { ...run, claim: seal(run.claim) })),
    postpone: (tenant, callId, delayMs) => database.step(postpone, { tenant, callId, delayMs }),
    cancel: (tenant, callId) => database.step(cancelCall, { tenant, callId }),
    addEvidence: (fence, evidence) =>
      database.step(addEvidence, { fence, evidence: sealEvidence(sealing, fence, evidence) }),
    evidence: async (tenant, callId) =>
      (await database.step(evidenceOf, { tenant, callId })).map((evidence) => ({
        ...evidence,
        text: sealing.open(evidence.text, boundTo({ tenant, callId })),
      })),
    resolve: (tenant, callId, ending, audit) =>
      database.step(resolveUnknown, {
        tenant,
        callId,
        ending: sealing.ending(ending, { tenant, callId }),
        audit: sealing.record(audit),
      }),
    open: (filter) => database.step(openCalls, filter),
    abandoned: async (limit, at) =>
      (
        await Promise.all((await database.step(abandonedCalls, { limit, at })).map(readable))
      ).flat(),
    now: () => database.step(readClock, null),
    query: (text, ...values) => database.query(text, values),
  }
}

// On PostgreSQL each statement is a round trip, so an unused key is claimed with a single one.
async function claimFresh(database: Database, request: ClaimRequest): Promise<Claim> {
  const needsLock = request.guardMs !== undefined && request.call.irreversible
  if (database.dialect === 'postgres' && !needsLock) {
    const row = await database.step(claimUnused, request)
    if (row !== undefined) return { kind: 'claimed', row }
  }
  return database.step(claimKey, request)
}

// A late result may contain the call's secret input.
function sealEvidence<E extends { readonly text: string }>(
  sealing: Sealing,
  fence: Fence,
  evidence: E,
): E {
  return sealing.hasKey
    ? { ...evidence, text: sealing.seal(evidence.text, boundTo(fence)) }
    : evidence
}

export type Queueing = { readonly call: NewCall; readonly guardMs: number | undefined }
export type Queued = { readonly kind: 'queued' | 'held' | 'duplicate'; readonly row: CallRow }

/** Writes the row and its wake-up in one transaction. */
export const queueCall = defineStep(
  'calls.queue',
  { mode: 'durable', statements: 'many' },
  async (sql, { call, guardMs }: Queueing): Promise<Queued> => {
    const placed = await place(sql, {
      call,
      start: { state: 'queued', leaseMs: undefined, approvalId: undefined },
      guardMs,
    })
    if (placed.kind === 'outdated') throw new TypeError('A queue compares no version.')
    if (placed.kind !== 'placed') return { kind: placed.kind, row: placed.row }
    await sql.enqueue({ tenant: call.tenant, callId: call.callId }, 0)
    return { kind: 'queued', row: placed.row }
  },
)

export const postpone = defineStep(
  'calls.postpone',
  { mode: 'durable', statements: 'many' },
  async (sql, { tenant, callId, delayMs }: CallName & { readonly delayMs: number }) => {
    const text =
      "update calls set updated_at = {now} where call_id = ? and tenant = ? and (state = 'queued' or lease_until <= {now})"
    if ((await sql.run(text, callId, tenant)) > 0) await sql.enqueue({ tenant, callId }, delayMs)
  },
)

/**
 * Counts the attempt of a queued call whose local effect, and with it the claim, was rolled back.
 * The pause before the next attempt grows with the count.
 */
export const countTry = defineStep(
  'calls.countTry',
  { mode: 'durable', statements: 'one' },
  async (sql, { tenant, callId }: CallName) => {
    const text =
      "update calls set fence = fence + 1, updated_at = {now} where call_id = ? and tenant = ? and state = 'queued'"
    await sql.run(text, callId, tenant)
  },
)

const LOCK_CANCELLABLE =
  "select call_id from calls where call_id = ? and tenant = ? and state in ('waiting', 'queued') {lock}"

export const cancelCall = defineStep(
  'calls.cancel',
  { mode: 'durable', statements: 'many' },
  async (sql, { tenant, callId }: CallName) => {
    if ((await sql.get(LOCK_CANCELLABLE, callId, tenant)) === undefined) return false
    // A run with journal entries has started, although it is queued again.
    if (
      (await sql.get('select 1 as told from journal where call_id = ? limit 1', callId)) !==
      undefined
    )
      return false
    await sql.run(
      "update calls set state = 'cancelled', input = '', updated_at = {now} where call_id = ?",
      callId,
    )
    // The approval request of a cancelled call is withdrawn.
    await sql.run(
      "update approvals set state = 'expired', expires_at = {now} where call_id = ? and tenant = ? and state = 'pending'",
      callId,
      tenant,
    )
    await wakeParent(sql, { tenant, callId })
    return true
  },
)

// Evidence of a deleted call proves nothing any more.
const ADD_EVIDENCE = `insert into evidence (tenant, call_id, fence, what, text, at)
  select tenant, call_id, cast(? as bigint), cast(? as text), cast(? as text), cast(? as bigint) from calls where call_id = ? and tenant = ?`

export const addEvidence = defineStep(
  'calls.addEvidence',
  { mode: 'durable', statements: 'one' },
  async (sql, { fence, evidence }: { readonly fence: Fence; readonly evidence: Evidence }) => {
    await sql.run(
      ADD_EVIDENCE,
      evidence.fence,
      evidence.what,
      evidence.text,
      Math.round(evidence.at),
      fence.callId,
      fence.tenant,
    )
  },
)
