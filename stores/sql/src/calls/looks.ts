import type { Row } from '@surehand/core/internal'
import type {
  BootTime,
  Evidence,
  KeyScope,
  NewCall,
  OpenCall,
  OpenCallFilter,
} from '@surehand/core/ports'
import { defineStep } from '../step.ts'
import { byCall, byKey, leaseBoot, SELECT_CALL, toCallRow } from './call-row.ts'
import { recentWish } from './recent.ts'

export const findCall = defineStep(
  'calls.find',
  { mode: 'read', statements: 'one' },
  (sql, scope: KeyScope) => byKey(sql, scope),
)

export type CallName = { readonly tenant: string; readonly callId: string }

export const getCall = defineStep(
  'calls.get',
  { mode: 'read', statements: 'one' },
  (sql, { tenant, callId }: CallName) => byCall(sql, tenant, callId),
)

export const recentCall = defineStep(
  'calls.recent',
  { mode: 'read', statements: 'one' },
  (sql, { call, sinceMs }: { readonly call: NewCall; readonly sinceMs: number }) =>
    recentWish(sql, call, sinceMs),
)

// A queued call wakes a worker at once; after this time the wake-up counts as lost.
const LOST_AFTER_MS = 60_000

// `(select {now})` is evaluated once, so that the index can be used.
// A queued row from the future is from before the clock was set back: its wake-up may be far away.
const ABANDONED = `${SELECT_CALL} where lease_until <= (select {now})
  or (lease_until is not null and lease_boot = ? and lease_ticks <= ?)
  or (state = 'queued' and (updated_at <= (select {now}) - ${LOST_AFTER_MS} or updated_at > (select {now}) + 1000))
  order by updated_at limit ?`

export const abandonedCalls = defineStep(
  'calls.abandoned',
  { mode: 'read', statements: 'one' },
  async (sql, { limit, at }: { readonly limit: number; readonly at: BootTime | undefined }) =>
    (await sql.all(ABANDONED, ...leaseBoot(at), limit)).map(toCallRow),
)

export const readClock = defineStep(
  'calls.now',
  { mode: 'read', statements: 'one' },
  async (sql, _: null) => Number((await sql.get('select {now} as now'))?.now),
)

const UNKNOWN = "state = 'unknown'"
// Four small indexes instead of one over all calls.
const OPEN_STATES = [
  "state = 'queued'",
  "state = 'parked'",
  "lease_until is not null and state in ('claimed', 'effect_started')",
  UNKNOWN,
]

function selectOpen(isOpen: string): string {
  return `select call_id, tenant, principal, tool_id, tool_version, state, created_at, updated_at from calls
    where tenant = ? and (cast(? as text) is null or principal = ?) and ${isOpen}
    and (cast(? as text) is null
      or (created_at, call_id) < (select created_at, call_id from calls where call_id = ?))`
}
const OPEN = OPEN_STATES.map(selectOpen).join(' union all ')
const UNKNOWN_OF = selectOpen(`${UNKNOWN} and tool_id = ?`)
const NEWEST = 'order by created_at desc, call_id desc limit ?'

export const openCalls = defineStep(
  'calls.open',
  { mode: 'read', statements: 'one' },
  async (sql, { tenant, limit, unknownOf, ...filter }: OpenCallFilter) => {
    const [principal, before] = [filter.principal ?? null, filter.before ?? null]
    const rows =
      unknownOf === undefined
        ? await sql.all(
            `${OPEN} ${NEWEST}`,
            ...OPEN_STATES.flatMap(() => [tenant, principal, principal, before, before]),
            limit,
          )
        : await sql.all(
            `${UNKNOWN_OF} ${NEWEST}`,
            ...[tenant, principal, principal, unknownOf, before, before, limit],
          )
    return rows.map(toOpenCall)
  },
)

function toOpenCall(row: Row): OpenCall {
  return {
    callId: String(row.call_id),
    tenant: String(row.tenant),
    principal: String(row.principal),
    toolId: String(row.tool_id),
    toolVersion: String(row.tool_version),
    // erased: the statement selects only rows in these states
    state: String(row.state) as OpenCall['state'],
    createdAt: Number(row.created_at),
    updatedAt: Number(row.updated_at),
  }
}

export const isToStop = defineStep(
  'calls.isToStop',
  { mode: 'read', statements: 'one' },
  async (sql, { tenant, callId }: CallName) =>
    ((await sql.get('select to_stop from calls where call_id = ? and tenant = ?', callId, tenant))
      ?.to_stop ?? null) !== null,
)

export const evidenceOf = defineStep(
  'calls.evidence',
  { mode: 'read', statements: 'one' },
  async (sql, { tenant, callId }: CallName) => {
    const rows = await sql.all(
      'select fence, what, text, at from evidence where call_id = ? and tenant = ? order by number',
      callId,
      tenant,
    )
    return rows.map((row) => row as unknown as Evidence)
  },
)
