import type { CallRow, NewCall } from '@surehand/core/ports'
import { forgetNotes } from '../runs/forget-notes.ts'
import type { Sql } from '../step.ts'
import { byKey, insertCall, type RowStart } from './call-row.ts'
import { isFree } from './free-key.ts'
import { recentWish } from './recent.ts'

export type Placed =
  | { readonly kind: 'placed' | 'held' | 'duplicate'; readonly row: CallRow }
  | { readonly kind: 'outdated' }

export type Placing = {
  readonly call: NewCall
  readonly start: Omit<RowStart, 'fence'>
  readonly guardMs?: number | undefined
  readonly adminVersion?: number | undefined
}

// Another call may take a released key between the look-up and the insert; then its row is
// returned.
const MOST_LOOKS = 5

/**
 * The lock's name for calls with the same input: without the lock, the duplicate guard could look
 * and then write while another does the same.
 */
export function wishName(call: NewCall): string {
  return JSON.stringify(['wish', call.tenant, call.principal, call.toolId, call.inputHash])
}

/** Creates the row of a call, or returns the row that holds its key or duplicates its input. */
export async function place(sql: Sql, placing: Placing): Promise<Placed> {
  if (placing.guardMs === undefined || !placing.call.irreversible) {
    const row = await insertFirst(sql, placing)
    if (row !== undefined) return { kind: 'placed', row }
  } else await sql.lock(wishName(placing.call))
  return placeBehind(sql, placing)
}

/** The slow path: the key is in use, or the duplicate guard has to check first. */
export async function placeBehind(sql: Sql, placing: Placing): Promise<Placed> {
  const { call, guardMs } = placing
  for (let look = 0; look < MOST_LOOKS; look++) {
    const existing = await byKey(sql, call, '{lock}')
    if (existing !== undefined && !(await isFree(sql, existing)))
      return { kind: 'held', row: existing }
    if (await isOutdated(sql, placing)) return { kind: 'outdated' }
    const earlier = guardMs === undefined ? undefined : await recentWish(sql, call, guardMs)
    if (earlier !== undefined) return { kind: 'duplicate', row: earlier }
    const row =
      existing === undefined
        ? await insertFirst(sql, placing)
        : await takeOver(sql, existing, placing)
    if (row !== undefined) return { kind: 'placed', row }
  }
  throw new TypeError(`The key of ${call.callId} changes hands faster than it can be looked at.`)
}

/** The fast path: the key is unused and the administration has not changed. */
export function insertFirst(
  sql: Sql,
  { call, start, guardMs, adminVersion }: Placing,
): Promise<CallRow | undefined> {
  return insertCall(sql, call, { ...start, fence: 1, guardMs }, adminVersion)
}

// An expired approval request stays closed: a clock that is set back must not revive it beside the
// new one.
const LEAVE_KEY =
  "update calls set holds_key = 0, state = case when state = 'waiting' then 'cancelled' else state end where call_id = ?"

// A released key keeps the provider's key while the input is the same.
async function takeOver(
  sql: Sql,
  existing: CallRow,
  { call, start }: Placing,
): Promise<CallRow | undefined> {
  if (existing.callId === call.callId) await forget(sql, existing.callId)
  else await sql.run(LEAVE_KEY, existing.callId)
  const providerKey =
    existing.inputHash === call.inputHash ? existing.providerKey : call.providerKey
  return insertCall(sql, { ...call, providerKey }, { ...start, fence: existing.fence + 1 })
}

// A call that starts again under its old id must not read the notes of the old run.
async function forget(sql: Sql, callId: string): Promise<void> {
  await sql.run('delete from calls where call_id = ?', callId)
  await forgetNotes(sql, [callId])
}

export async function isOutdated(
  sql: Sql,
  asked: { readonly call: NewCall; readonly adminVersion?: number | undefined },
): Promise<boolean> {
  if (asked.adminVersion === undefined) return false
  const row = await sql.get(
    'select version from admin_versions where tenant = ?',
    asked.call.tenant,
  )
  return Number(row?.version ?? 0) !== asked.adminVersion
}
