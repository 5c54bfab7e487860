import type { Job } from '@surehand/core/ports'
import type { Sql } from '../step.ts'

// Without a condition on the state: a condition would skip the row that is being parked at this
// moment, and the wake-up would be lost.
const LOCK = 'select state from calls where call_id = ? and tenant = ? {lock}'
const PUT_BACK =
  "update calls set state = 'queued', wake_at = null, updated_at = {now} where call_id = ? and tenant = ?"

/**
 * Queues a parked run again; a run that is not parked is left alone. Everywhere, a step's row is
 * locked before its run's row.
 */
export async function wake(sql: Sql, run: Job): Promise<void> {
  const row = await sql.get(LOCK, run.callId, run.tenant)
  if (row?.state === 'parked') await putBack(sql, run)
}

/** Queues a parked row that this transaction has locked. */
export async function putBack(sql: Sql, run: Job): Promise<void> {
  await sql.run(PUT_BACK, run.callId, run.tenant)
  await sql.enqueue({ tenant: run.tenant, callId: run.callId }, 0)
}

/** Wakes the run that waits for a call that has ended in this transaction. */
export async function wakeParent(sql: Sql, ended: Job): Promise<void> {
  const row = await sql.get('select parent_id from calls where call_id = ?', ended.callId)
  if (typeof row?.parent_id === 'string')
    await wake(sql, { tenant: ended.tenant, callId: row.parent_id })
}
