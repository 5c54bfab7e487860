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

// another may take a freed key between our look and our insert; then there is a row to be shown
const MOST_LOOKS = 5

/** The name that holds up whoever means the same: the guard would otherwise look and then write. */
export function wishName(call: NewCall): string {
  return JSON.stringify(['wish', call.tenant, call.principal, call.toolId, call.inputHash])
}

/** A row for a call, or the row that holds its key or its wish. */
export async function place(sql: Sql, placing: Placing): Promise<Placed> {
  if (placing.guardMs === undefined) {
    const row = await insertFirst(sql, placing)
    if (row !== undefined) return { kind: 'placed', row }
  } else await sql.lock(wishName(placing.call))
  return placeBehind(sql, placing)
}

/** The same when the quick way is not open: something stands under the key, or has to be looked at first. */
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

/** The quick way: nobody has used the key, and nothing was administered since. */
export function insertFirst(
  sql: Sql,
  { call, start, adminVersion }: Placing,
): Promise<CallRow | undefined> {
  return insertCall(sql, call, { ...start, fence: 1 }, adminVersion)
}

// a question that lapsed is over for good: a clock that is set back must not bring it to life beside the new one
const LEAVE_KEY =
  "update calls set holds_key = 0, state = case when state = 'waiting' then 'cancelled' else state end where call_id = ?"

// a freed key keeps the provider's key while the same is meant
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

// begun anew under its old name, it must not be told what the old one was
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
