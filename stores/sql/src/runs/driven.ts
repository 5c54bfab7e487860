import type { Fence } from '@surehand/core/ports'
import { OURS, ours } from '../calls/fenced.ts'
import type { Sql } from '../step.ts'

const LOCK_OURS = `select to_stop from calls where ${OURS}`

export type Held = { readonly isToStop: boolean }

/** Locks the row while it is held under this fence. */
export async function lockOurs(sql: Sql, fence: Fence): Promise<Held | undefined> {
  return heldOf(await sql.get(`${LOCK_OURS} {lock}`, ...ours(fence)))
}

/**
 * The same, while the lease is valid: after that, a successor may or may not read what is written.
 */
export async function lockDriven(sql: Sql, fence: Fence): Promise<Held | undefined> {
  return heldOf(await sql.get(`${LOCK_OURS} and lease_until > {now} {lock}`, ...ours(fence)))
}

function heldOf(row: Awaited<ReturnType<Sql['get']>>): Held | undefined {
  return row === undefined ? undefined : { isToStop: row.to_stop !== null }
}
