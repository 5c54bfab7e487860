import { forgetNotes } from './runs/forget-notes.ts'
import { defineStep, type Sql } from './step.ts'

const DAY_MS = 24 * 3_600_000

/** How many days what is stored about calls is kept. Audit records stay as long as the tenant. */
export const RETENTION_DAYS = {
  /** Inputs and answers, and with them the keys of writes. */
  calls: 30,
  // Long enough to look at what happened last week.
  traces: 7,
  // Charts show thirty days.
  figures: 31,
} as const

// Until when emptied rows of reversible writes answer "gone".
const KEEP_MS = RETENTION_DAYS.calls * DAY_MS
const KEEP_GONE_MS = 60 * DAY_MS

const OLD = `created_at <= (select {now}) - ${KEEP_MS} and updated_at <= (select {now}) - ${KEEP_MS}`
const LAPSED =
  "(state = 'waiting' and not exists (select 1 from approvals a where a.id = calls.approval_id and a.expires_at > (select {now})))"

// If the key of an irreversible effect were deleted, a repetition would execute it again. Its row
// is emptied, and answers "gone" for as long as the tenant exists.
const TOMBSTONES = `update calls set state = 'pruned', input = '', answer = null, caller = '{}', scopes = '{}', provider_key = '', request_id = ''
  where call_id in
  (select call_id from calls where ${OLD} and irreversible = 1 and state in ('succeeded', 'failed') limit ?) and state in ('succeeded', 'failed')
  returning call_id`

const ENDED = `(state in ('released', 'cancelled') or ${LAPSED} or (irreversible = 0 and state in ('succeeded', 'failed'))
  or (state = 'pruned' and irreversible = 0 and updated_at <= (select {now}) - ${KEEP_GONE_MS}))`

// The condition is repeated outside: PostgreSQL waits for a locked row and then checks only the
// outer condition again, and the row may be recent by then.
const FORGET = `delete from calls where call_id in (select call_id from calls where ${OLD} and ${ENDED} limit ?) and ${OLD} and ${ENDED}
  returning call_id`

const FORGET_QUESTIONS = `delete from approvals where number in
  (select number from approvals where expires_at <= (select {now}) - ${KEEP_MS}
    and not exists (select 1 from calls c where c.call_id = approvals.call_id) limit ?)`

const FORGET_EVIDENCE = `delete from evidence where number in
  (select number from evidence where at <= (select {now}) - ${KEEP_MS}
    and not exists (select 1 from calls c where c.call_id = evidence.call_id) limit ?)`

const KEEP_TRACES_MS = RETENTION_DAYS.traces * DAY_MS
const FORGET_TRACES = `delete from call_traces where number in
  (select number from call_traces where written_at <= (select {now}) - ${KEEP_TRACES_MS} limit ?)`

const KEEP_FIGURES_MS = RETENTION_DAYS.figures * DAY_MS
const FORGET_FIGURES = ['call_figures', 'health_samples'].map(
  (table) => `delete from ${table} where at <= (select {now}) - ${KEEP_FIGURES_MS}`,
)

const EXPIRED = ['cache', 'limits'].map(
  (table) =>
    `delete from ${table} where key_hash in (select key_hash from ${table} where expires_at <= (select {now}) limit ?) and expires_at <= {now}`,
)

const EXPIRED_VALUES =
  'delete from stored_values where expires_at is not null and expires_at <= {now}'

/**
 * Deletes rows that ended long ago, at most `limit` of each kind, and returns how many. Queued,
 * parked, running and unknown calls stay, however old.
 */
export const pruneStep = defineStep(
  'maintenance.prune',
  { mode: 'lazy', statements: 'many' },
  async (sql: Sql, { limit }: { readonly limit: number }): Promise<number> => {
    let gone = 0
    for (const text of [TOMBSTONES, FORGET]) gone += await forgetCalls(sql, text, limit)
    for (const text of [FORGET_QUESTIONS, FORGET_EVIDENCE, FORGET_TRACES, ...EXPIRED])
      gone += await sql.run(text, limit)
    for (const text of FORGET_FIGURES) gone += await sql.run(text)
    return gone + (await sql.run(EXPIRED_VALUES))
  },
)

async function forgetCalls(sql: Sql, text: string, limit: number): Promise<number> {
  const callIds = (await sql.all(text, limit)).map(({ call_id }) => String(call_id))
  await forgetNotes(sql, callIds)
  return callIds.length
}
