import type { Evidence, KeyScope, NewCall } from '@surehand/core'
import { defineStep } from '../step.ts'
import { byCall, byKey, SELECT_CALL, toCallRow } from './call-row.ts'
import { recentWish } from './recent.ts'

export const findCall = defineStep('calls.find', { mode: 'read', statements: 'one' }, (sql, scope: KeyScope) => byKey(sql, scope))

export type CallName = { readonly tenant: string; readonly callId: string }

export const getCall = defineStep('calls.get', { mode: 'read', statements: 'one' }, (sql, { tenant, callId }: CallName) =>
  byCall(sql, tenant, callId),
)

export const recentCall = defineStep(
  'calls.recent',
  { mode: 'read', statements: 'one' },
  (sql, { call, sinceMs }: { readonly call: NewCall; readonly sinceMs: number }) => recentWish(sql, call, sinceMs),
)

// whoever put it there wakes a worker at once; after this long the wake-up is lost
const LOST_AFTER_MS = 60_000

// `(select {now})` is asked once, so that the index serves
const ABANDONED = `${SELECT_CALL} where lease_until <= (select {now})
  or (state = 'queued' and updated_at <= (select {now}) - ${LOST_AFTER_MS}) order by updated_at limit ?`

export const abandonedCalls = defineStep(
  'calls.abandoned',
  { mode: 'read', statements: 'one' },
  async (sql, { limit }: { readonly limit: number }) => (await sql.all(ABANDONED, limit)).map(toCallRow),
)

export const evidenceOf = defineStep('calls.evidence', { mode: 'read', statements: 'one' }, async (sql, { tenant, callId }: CallName) => {
  const rows = await sql.all('select fence, what, text, at from evidence where call_id = ? and tenant = ? order by number', callId, tenant)
  return rows.map((row) => row as unknown as Evidence)
})
