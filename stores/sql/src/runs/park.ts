import type { Fence, Parking } from '@surehand/core/ports'
import { inChunks } from '../audit/in-chunks.ts'
import { defineStep, type Sql } from '../step.ts'
import { lockOurs } from './driven.ts'

export type ParkRequest = {
  readonly fence: Fence
  readonly parking: Omit<Parking, 'wakeInMs'> & { readonly wakeInMs: number | null }
}

// An unknown step has not ended: a person resolves it. A step whose approval request has expired
// has ended.
const UNDER_WAY = `select count(*) as found from calls where tenant = ? and (state in ('queued', 'parked', 'claimed', 'effect_started', 'unknown')
  or (state = 'waiting' and exists (select 1 from approvals a where a.id = calls.approval_id and a.state = 'pending' and a.expires_at > {now})))
  and call_id in`
const OPEN =
  "select count(*) as found from questions where tenant = ? and state = 'open' and expires_at > {now} and id in"

const PARK = `update calls set state = 'parked', lease_until = null, wake_at = {now} + cast(? as bigint), spent_ms = ?, updated_at = {now}
  where call_id = ?`

/**
 * Parks the row until something it waits for has ended. The row is locked before its steps are read
 * by another statement: a step that ends is either seen here, or waits for the lock and then finds
 * the row parked. No end is missed.
 */
export const parkRun = defineStep(
  'runs.park',
  { mode: 'durable', statements: 'many' },
  async (sql, { fence, parking }: ParkRequest): Promise<'parked' | 'awake' | 'lost'> => {
    const held = await lockOurs(sql, fence)
    if (held === undefined) return 'lost'
    const { tenant } = fence
    const isWaiting =
      (await areAll(sql, { text: UNDER_WAY, tenant, ids: parking.calls })) &&
      (await areAll(sql, { text: OPEN, tenant, ids: parking.questions }))
    if ((held.isToStop && !parking.isStopHeard) || !isWaiting) return 'awake'
    await sql.run(PARK, parking.wakeInMs, parking.spentMs, fence.callId)
    return 'parked'
  },
)

type Look = { readonly text: string; readonly tenant: string; readonly ids: readonly string[] }

async function areAll(sql: Sql, { text, tenant, ids }: Look): Promise<boolean> {
  for (const chunk of inChunks([...new Set(ids)])) {
    const row = await sql.get(`${text} (${chunk.map(() => '?').join(', ')})`, tenant, ...chunk)
    if (Number(row?.found) < chunk.length) return false
  }
  return true
}
