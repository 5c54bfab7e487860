import type { CallRow, Evidence, Fence, NewCall } from '@surehand/core/ports'
import { defineStep } from '../step.ts'
import type { CallName } from './looks.ts'
import { place } from './place.ts'
import { wakeParent } from './wake.ts'

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
