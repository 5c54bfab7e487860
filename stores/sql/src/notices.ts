import type { Row } from '@surehand/core/internal'
import type {
  DeliveryPlace,
  DeliveryResult,
  Endpoint,
  Hearing,
  Notice,
  NoticeStore,
  StoredAnswer,
  WebhookDelivery,
} from '@surehand/core/ports'
import type { CallName } from './calls/looks.ts'
import type { Database } from './database.ts'
import { defineStep } from './step.ts'

/** Notifications about ended calls; the request for one is part of the call's own row. */
export function sqlNotices(database: Database): NoticeStore {
  return {
    // Most polls find nothing, and a read does not occupy the writer.
    endpoints: () => database.step(dueEndpoints, null),
    due: (endpoint, limit, holdMs) => database.step(takeNotices, { ...endpoint, limit, holdMs }),
    settle: ({ tenant, callId }, hearing, result) =>
      database.step(settleNotice, { tenant, callId, hearing, result: result ?? null }),
    list: (endpoint, { limit, before }) =>
      database.step(listDeliveries, { ...endpoint, limit, before: before ?? null }),
  }
}

const ENDED = "state in ('succeeded', 'failed', 'released', 'cancelled')"
// The condition of the index `calls_notify`.
const WAITS = `notify is not null and notify_done is null and ${ENDED}`
const NEVER_TRIED = 'notify_at is null'
const DUE_AGAIN = 'notify_at <= (select {now})'

// From one endpoint to the next, however many notices wait for each: an endpoint that hangs may have
// a hundred thousand. Like all reads on SQLite, this is done between requests.
const DUE_ENDPOINTS = `with recursive tenants (tenant) as (
    select min(tenant) from calls where ${WAITS}
    union all
    select (select min(calls.tenant) from calls where calls.tenant > tenants.tenant and ${WAITS})
      from tenants where tenant is not null
  ), endpoints (tenant, webhook) as (
    select tenant, (select min(notify) from calls where calls.tenant = tenants.tenant and ${WAITS})
      from tenants where tenant is not null
    union all
    select tenant, (select min(notify) from calls where calls.tenant = endpoints.tenant and notify > webhook and ${WAITS})
      from endpoints where webhook is not null
  )
  select tenant, webhook from endpoints where webhook is not null and (${dueWhere(NEVER_TRIED)} or ${dueWhere(DUE_AGAIN)})`

// In the order of the index, and not `exists`: PostgreSQL might look for one in the whole table.
function dueWhere(isDue: string): string {
  return `(select 1 from calls where calls.tenant = endpoints.tenant and notify = webhook and ${WAITS} and ${isDue} order by notify_at limit 1) = 1`
}

export const dueEndpoints = defineStep(
  'notices.endpoints',
  { mode: 'read', statements: 'one' },
  async (sql, _: null): Promise<readonly Endpoint[]> =>
    (await sql.all(DUE_ENDPOINTS)).map(({ tenant, webhook }) => ({
      tenant: String(tenant),
      webhook: String(webhook),
    })),
)

function firstWhere(isDue: string): string {
  return `select call_id, updated_at from calls where tenant = ? and notify = ? and ${WAITS} and ${isDue} order by notify_at, updated_at limit ?`
}

// The condition is repeated outside: PostgreSQL waits for a locked row and then checks only the
// outer condition again.
const TAKE = `update calls set notify_at = {now} + cast(? as bigint), notify_tries = coalesce(notify_tries, 0) + 1
  where call_id in (
    select call_id from (
      select * from (${firstWhere(NEVER_TRIED)}) as never_tried
      union all select * from (${firstWhere(DUE_AGAIN)}) as due_again
    ) as due order by updated_at limit ?
  ) and ${WAITS} and (${NEVER_TRIED} or ${DUE_AGAIN})
  returning call_id, tenant, tool_id, tool_version, notify, state, answer, updated_at, notify_tries`

type TakeNotices = Endpoint & { readonly limit: number; readonly holdMs: number }

/** Lazy: if it is lost, the notice is due again. */
export const takeNotices = defineStep(
  'notices.take',
  { mode: 'lazy', statements: 'one' },
  async (sql, { tenant, webhook, limit, holdMs }: TakeNotices): Promise<readonly Notice[]> =>
    (await sql.all(TAKE, holdMs, tenant, webhook, limit, tenant, webhook, limit, limit)).map(
      toNotice,
    ),
)

// Read once: the next attempt is counted from the very time of this one.
const CLOCK = 'with clock as materialized (select {now} as at)'
const NOW = '(select at from clock)'
const RESULT = `notify_result = coalesce(?, notify_result), notify_result_at = ${NOW}`
const AGAIN = `${CLOCK} update calls set notify_at = ${NOW} + cast(? as bigint), ${RESULT}
  where call_id = ? and tenant = ? and notify_done is null`
const DONE = `${CLOCK} update calls set notify_done = ${NOW}, ${RESULT}
  where call_id = ? and tenant = ?`

type Settling = CallName & { readonly hearing: Hearing; readonly result: DeliveryResult | null }
/** What is stored of the last attempt. */
type StoredResult = { readonly kind: Hearing['kind']; readonly result: DeliveryResult | null }

export const settleNotice = defineStep(
  'notices.settle',
  { mode: 'durable', statements: 'one' },
  async (sql, { tenant, callId, hearing, result }: Settling): Promise<void> => {
    const stored = JSON.stringify({ kind: hearing.kind, result } satisfies StoredResult)
    if (hearing.kind === 'again')
      await sql.run(AGAIN, Math.round(hearing.afterMs), stored, callId, tenant)
    else await sql.run(DONE, stored, callId, tenant)
  },
)

const LIST = `select call_id, tool_id, state, updated_at, notify_at, notify_tries, notify_done, notify_result, notify_result_at,
  {now} as read_at from calls where tenant = ? and notify = ? and ${ENDED}`

type ListDeliveries = Endpoint & { readonly limit: number; readonly before: DeliveryPlace | null }

export const listDeliveries = defineStep(
  'notices.list',
  { mode: 'read', statements: 'one' },
  async (
    sql,
    { tenant, webhook, limit, before }: ListDeliveries,
  ): Promise<readonly WebhookDelivery[]> => {
    const order = 'order by updated_at desc, call_id desc limit ?'
    const rows =
      before === null
        ? await sql.all(`${LIST} ${order}`, tenant, webhook, limit)
        : await sql.all(
            `${LIST} and (updated_at, call_id) < (?, ?) ${order}`,
            ...[tenant, webhook, before.endedAt, before.callId, limit],
          )
    return rows.map(toDelivery)
  },
)

function toDelivery(row: Row): WebhookDelivery {
  const stored =
    row.notify_result === null ? undefined : (JSON.parse(String(row.notify_result)) as StoredResult)
  const result = stored?.result ?? undefined
  const isWaiting = row.notify_done === null
  const nextAttemptAt = Number(row.notify_at ?? 0)
  return {
    callId: String(row.call_id),
    toolId: String(row.tool_id),
    state: row.state as WebhookDelivery['state'],
    endedAt: Number(row.updated_at),
    delivery: isWaiting ? 'waiting' : deliveryOf(stored),
    tries: Number(row.notify_tries ?? 0),
    nextAttemptAt: isWaiting && nextAttemptAt > Number(row.read_at) ? nextAttemptAt : undefined,
    lastResult: result && { ...result, at: Number(row.notify_result_at) },
  }
}

function deliveryOf(stored: StoredResult | undefined): WebhookDelivery['delivery'] {
  if (stored === undefined) return 'settled'
  return stored.kind === 'heard' ? 'delivered' : 'abandoned'
}

// An error code is defined by us, so it is not encrypted with the rest of a secret answer.
function toNotice(row: Row): Notice {
  const answer = row.answer === null ? undefined : (JSON.parse(String(row.answer)) as StoredAnswer)
  return {
    tenant: String(row.tenant),
    callId: String(row.call_id),
    toolId: String(row.tool_id),
    toolVersion: String(row.tool_version),
    webhook: String(row.notify),
    state: row.state as Notice['state'],
    code: answer?.kind === 'error' ? answer.code : undefined,
    endedAt: Number(row.updated_at),
    tries: Number(row.notify_tries) - 1,
  }
}
