import type { CallName } from '../calls/looks.ts'
import { putBack } from '../calls/wake.ts'
import { defineStep } from '../step.ts'

const DUE = "state = 'parked' and wake_at <= (select {now})"

export const areRunsDue = defineStep(
  'runs.areDue',
  { mode: 'read', statements: 'one' },
  async (sql, _: null): Promise<boolean> => {
    return (await sql.get(`select 1 as due from calls where ${DUE} limit 1`)) !== undefined
  },
)

// The youngest first: a step is younger than its run and is locked before it.
const LOCK_DUE = `select call_id, tenant from calls where ${DUE}
  and call_id in (select call_id from calls where ${DUE} order by wake_at limit ?) order by created_at desc, call_id {lock}`

/** Lazy: if it is lost, the runs are due again. */
export const wakeDue = defineStep(
  'runs.wakeDue',
  { mode: 'lazy', statements: 'many' },
  async (sql, { limit }: { readonly limit: number }): Promise<number> => {
    const due = await sql.all(LOCK_DUE, limit)
    for (const { call_id, tenant } of due)
      await putBack(sql, { tenant: String(tenant), callId: String(call_id) })
    return due.length
  },
)

const LOCK_STOPPABLE = `select state from calls where call_id = ? and tenant = ?
  and state in ('queued', 'parked', 'claimed', 'effect_started') {lock}`

export const askToStop = defineStep(
  'runs.askToStop',
  { mode: 'durable', statements: 'many' },
  async (sql, { tenant, callId }: CallName): Promise<boolean> => {
    const row = await sql.get(LOCK_STOPPABLE, callId, tenant)
    if (row === undefined) return false
    await sql.run('update calls set to_stop = coalesce(to_stop, {now}) where call_id = ?', callId)
    if (row.state === 'parked') await putBack(sql, { tenant, callId })
    return true
  },
)
