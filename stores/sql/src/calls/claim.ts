import type { CallRow, Claim, ClaimRequest } from '@surehand/core/ports'
import { hasLeaseExpired } from '@surehand/core/worker-entry'
import { approvalById } from '../approvals/approval-row.ts'
import { defineStep, type Sql } from '../step.ts'
import {
  byCall,
  callRow,
  FIRST_FENCE,
  type Given,
  givenCall,
  givenValue,
  insertGiven,
  leaseBoot,
  RETURNING_CALL,
} from './call-row.ts'
import { insertFirst, isOutdated, type Placed, place, placeBehind } from './place.ts'

function placing({ call, leaseMs, at, guardMs, adminVersion }: ClaimRequest) {
  return {
    call,
    start: { state: 'claimed', leaseMs, at, approvalId: undefined },
    guardMs,
    adminVersion,
  } as const
}

/**
 * Claims an unused key with one statement. Lazy: if it is lost in a power failure, nothing has
 * happened under it.
 */
export const claimUnused = defineStep(
  'calls.claimUnused',
  { mode: 'lazy', statements: 'one' },
  (sql, request: ClaimRequest) => insertFirst(sql, placing(request)),
)

/** Claims a key whatever row is stored under it. */
export const claimKey = defineStep(
  'calls.claimKey',
  { mode: 'lazy', statements: 'many' },
  claimFresh,
)

/**
 * Claims a row that waits for a worker or was abandoned. Durable: if it were lost, its fence would
 * be given to a second process.
 */
export const claimRow = defineStep(
  'calls.claimRow',
  { mode: 'durable', statements: 'many' },
  resume,
)

/** A claim whose call is a flat array of values. */
export type GivenClaim = Omit<ClaimRequest, 'call'> & { readonly given: Given }

/** What a local effect needs to know about the row it claimed. */
export type ClaimedRow = Pick<CallRow, 'tenant' | 'callId' | 'fence' | 'parentId' | 'isSecret'>

type ClaimInside =
  | { readonly kind: 'claimed'; readonly row: ClaimedRow }
  | { readonly kind: 'recover'; readonly row: ClaimedRow }
  | Exclude<Claim, { kind: 'claimed' | 'recover' }>

/**
 * The claim inside the transaction that also does the work. An unused key is claimed with the flat
 * values as they are.
 */
export async function claimInside(sql: Sql, claim: GivenClaim): Promise<ClaimInside> {
  if (claim.resumes) return resume(sql, requestOf(claim))
  if (claim.guardMs !== undefined) return claimFresh(sql, requestOf(claim))
  const { given, leaseMs, adminVersion } = claim
  const start = {
    state: 'claimed',
    fence: FIRST_FENCE,
    leaseMs,
    approvalId: undefined,
    adminVersion,
  } as const
  if ((await insertGiven(sql, given, start)) !== undefined)
    return { kind: 'claimed', row: firstRow(given) }
  return toClaim(await placeBehind(sql, placing(requestOf(claim))))
}

function requestOf({ given, ...asked }: GivenClaim): ClaimRequest {
  return { ...asked, call: givenCall(given) }
}

function firstRow(given: Given): ClaimedRow {
  const parentId = givenValue(given, 'parent_id')
  return {
    tenant: String(givenValue(given, 'tenant')),
    callId: String(givenValue(given, 'call_id')),
    fence: FIRST_FENCE,
    parentId: parentId === null ? undefined : String(parentId),
    isSecret: givenValue(given, 'is_secret') === 1,
  }
}

async function claimFresh(sql: Sql, request: ClaimRequest): Promise<Claim> {
  return toClaim(await place(sql, placing(request)))
}

function toClaim(placed: Placed): Claim {
  return placed.kind === 'outdated'
    ? placed
    : { kind: placed.kind === 'placed' ? 'claimed' : placed.kind, row: placed.row }
}

const TAKE = `update calls set state = case when state = 'effect_started' then state else 'claimed' end, fence = fence + 1,
  lease_until = {now} + ?, lease_boot = ?, lease_ticks = ?, deaths = coalesce(?, deaths), death_at = coalesce(?, death_at), updated_at = {now} where call_id = ? and fence = ? ${RETURNING_CALL}`

async function resume(sql: Sql, request: ClaimRequest): Promise<Claim> {
  const { call, leaseMs, at } = request
  const row = await byCall(sql, call.tenant, call.callId, '{lock}')
  // A resumed call finds its row or does nothing: a job that outlived its row must not execute the
  // call again.
  if (row === undefined) return { kind: 'approval_lapsed' }
  const isQueued = row.state === 'queued'
  if (!isQueued && !mayTakeOver(request, row)) return { kind: 'held', row }
  if (request.approvalId !== undefined && row.approvalId !== request.approvalId)
    return { kind: 'held', row }
  // A call that has started must come to its end, whatever has changed in the administration since.
  if (row.effect === undefined && (await isOutdated(sql, request))) return { kind: 'outdated' }
  if (await isBusy(sql, request)) return { kind: 'busy' }
  if (isQueued && !(await useApproval(sql, row))) return { kind: 'approval_lapsed' }
  const lease = [leaseMs, ...leaseBoot(at, leaseMs), ...(await countDeath(sql, row))] as const
  const taken = callRow(await sql.get(TAKE, ...lease, row.callId, row.fence))
  if (taken === undefined) return { kind: 'held', row }
  return { kind: taken.state === 'effect_started' ? 'recover' : 'claimed', row: taken }
}

function mayTakeOver({ expired }: ClaimRequest, row: CallRow): boolean {
  if (expired === undefined) return hasLeaseExpired(row)
  return (
    row.leaseUntil !== undefined &&
    row.fence === expired.fence &&
    row.leaseUntil === expired.leaseUntil
  )
}

const DEATH = `select death_at, (select count(*) from journal where journal.call_id = calls.call_id and answer is not null) as answers
  from calls where call_id = ?`

/**
 * How many processes have died with this row in hand, and at which point of its journal the last
 * one did. A claim that was given up on purpose left no dead process behind.
 */
async function countDeath(
  sql: Sql,
  { callId, leaseUntil, deaths }: CallRow,
): Promise<readonly [deaths: number | null, deathAt: number | null]> {
  if (leaseUntil === undefined || leaseUntil === 0) return [null, null]
  const found = await sql.get(DEATH, callId)
  const answers = Number(found?.answers)
  const isSamePlace = Number(found?.death_at ?? answers) === answers
  return [isSamePlace ? deaths + 1 : 1, answers]
}

const LIVE =
  'select count(*) as live from calls where tenant = ? and tool_id = ? and lease_until > (select {now}) and call_id <> ?'

async function isBusy(sql: Sql, { call, atMost }: ClaimRequest): Promise<boolean> {
  if (atMost === undefined) return false
  // One after another: otherwise each would count only the others, and both would be admitted.
  await sql.lock(JSON.stringify(['jobs', call.tenant, call.toolId]))
  const row = await sql.get(LIVE, call.tenant, call.toolId, call.callId)
  return Number(row?.live) >= atMost
}

// Using the approval and claiming the call are one transaction: an approval covers one call, once.
async function useApproval(sql: Sql, row: CallRow): Promise<boolean> {
  if (row.approvalId === undefined) return true
  const approval = await approvalById(sql, row.tenant, row.approvalId, '{lock}')
  // The approval was used by this same call, which was then queued again because nothing had
  // happened.
  if (approval?.state === 'used') return approval.callId === row.callId
  if (approval?.state !== 'approved') return false
  await sql.run("update approvals set state = 'used' where id = ?", row.approvalId)
  return true
}
