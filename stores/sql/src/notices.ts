import type { Row } from '@surehand/core/internal'
import type { Endpoint, Hearing, Notice, NoticeStore, StoredAnswer } from '@surehand/core/ports'
import type { CallName } from './calls/looks.ts'
import type { Database } from './database.ts'
import { defineStep } from './step.ts'

/** Notifications about ended calls; the request for one is part of the call's own row. */
export function sqlNotices(database: Database): NoticeStore {
  return {
    // Most polls find nothing, and a read does not occupy the writer.
    endpoints: () => database.step(dueEndpoints, null),
    due: (endpoint, limit, holdMs) => database.step(takeNotices, { ...endpoint, limit, holdMs }),
    settle: ({ tenant, callId }, hearing) =>
      database.step(settleNotice, { tenant, callId, hearing }),
  }
}

const DUE = `notify is not null and notify_done is null and coalesce(notify_at, 0) <= (select {now})
  and state in ('succeeded', 'failed', 'released', 'cancelled')`

export const dueEndpoints = defineStep(
  'notices.endpoints',
  { mode: 'read', statements: 'one' },
  async (sql, _: null): Promise<readonly Endpoint[]> =>
    (await sql.all(`select distinct tenant, notify from calls where ${DUE}`)).map(
      ({ tenant, notify }) => ({ tenant: String(tenant), webhook: String(notify) }),
    ),
)

// The condition is repeated outside: PostgreSQL waits for a locked row and then checks only the
// outer condition again.
const TAKE = `update calls set notify_at = {now} + cast(? as bigint), notify_tries = coalesce(notify_tries, 0) + 1
  where call_id in (
    select call_id from calls where tenant = ? and notify = ? and ${DUE} order by updated_at limit ?
  ) and ${DUE}
  returning call_id, tenant, tool_id, tool_version, notify, state, answer, updated_at, notify_tries`

type TakeNotices = Endpoint & { readonly limit: number; readonly holdMs: number }

/** Lazy: if it is lost, the notice is due again. */
export const takeNotices = defineStep(
  'notices.take',
  { mode: 'lazy', statements: 'one' },
  async (sql, { tenant, webhook, limit, holdMs }: TakeNotices): Promise<readonly Notice[]> =>
    (await sql.all(TAKE, holdMs, tenant, webhook, limit)).map(toNotice),
)

const AGAIN =
  'update calls set notify_at = {now} + cast(? as bigint) where call_id = ? and tenant = ? and notify_done is null'
const DONE = 'update calls set notify_done = {now} where call_id = ? and tenant = ?'

export const settleNotice = defineStep(
  'notices.settle',
  { mode: 'durable', statements: 'one' },
  async (
    sql,
    { tenant, callId, hearing }: CallName & { readonly hearing: Hearing },
  ): Promise<void> => {
    if (hearing.kind === 'again') await sql.run(AGAIN, Math.round(hearing.afterMs), callId, tenant)
    else await sql.run(DONE, callId, tenant)
  },
)

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
