import { setImmediate } from 'node:timers/promises'
import type { SqlValue } from '@surehand/core/internal'
import type { AuditFilter, AuditRecord } from '@surehand/core/ports'
import type { Database } from '../database.ts'
import { defineStep, type Sql } from '../step.ts'
import { RECORD_COLUMNS, recordOf } from './record-row.ts'

const MOST = 1_000

// What a filter compares with one value, in the order of the statement's parameters.
const CONDITIONS = [
  ['callId', 'call_id = ?'],
  ['toolName', 'tool_name = ?'],
  ['principal', 'principal = ?'],
  ['actor', 'actor = ?'],
  ['phase', 'phase = ?'],
  ['outcome', 'outcome = ?'],
  ['since', 'created_at >= ?'],
  ['until', 'created_at < ?'],
] as const

const INPUT_HAS_TEXT = "lower(input) like lower(cast(? as text)) escape '!'"
const HAS_TEXT = `exists (select 1 from call_traces t where t.call_id = audit_records.call_id
  and ${INPUT_HAS_TEXT})`

/** Records from one number up to another, which is left out. */
type Window = { readonly from: number; readonly below: number }

type Listing = Omit<AuditFilter, 'key'> & {
  readonly window?: Window
  readonly callIds?: readonly string[]
}

/** The newest matching records, oldest first. */
export const listRecords = defineStep(
  'audit.list',
  { mode: 'read', statements: 'one' },
  async (sql: Sql, listing: Listing): Promise<readonly AuditRecord[]> => {
    const { conditions, values } = toConditions(listing)
    const text = `select ${RECORD_COLUMNS} from audit_records where ${conditions.join(' and ')} order by number desc limit ?`
    return (await sql.all(text, ...values, listing.limit ?? MOST)).map(recordOf).reverse()
  },
)

function toConditions({ tenant, requestIds, callIds, before, window, text, ...filter }: Listing) {
  const conditions = ['tenant = ?']
  const values: SqlValue[] = [tenant]
  const add = (condition: string, ...given: readonly SqlValue[]): void => {
    conditions.push(condition)
    values.push(...given)
  }
  for (const [name, condition] of CONDITIONS) {
    const value = filter[name]
    if (value !== undefined) add(condition, value)
  }
  // The second condition is the index's own.
  if (requestIds !== undefined)
    add(`request_id in (${requestIds.map(() => '?')}) and request_id <> call_id`, ...requestIds)
  if (callIds !== undefined) add(`call_id in (${callIds.map(() => '?')})`, ...callIds)
  if (before !== undefined)
    add(
      'number < (select number from audit_records where call_id = ? and id = ?)',
      before.call_id,
      before.id,
    )
  if (window !== undefined) add('number >= ? and number < ?', window.from, window.below)
  if (text !== undefined) add(HAS_TEXT, containing(text))
  return { conditions, values }
}

// As it is written in the JSON of an input.
function containing(text: string): string {
  return `%${JSON.stringify(text).slice(1, -1).replace(/[!%_]/g, '!$&')}%`
}

// So many records are looked at in a few milliseconds, in which a SQLite server does nothing else.
const WINDOW = 4_000
// Records are numbered when they are written, which for reads is a moment after they were made.
const LATE_MS = 10 * 60_000

const findWindow = defineStep(
  'audit.window',
  { mode: 'read', statements: 'one' },
  async (sql: Sql, { tenant, below }: { readonly tenant: string; readonly below: number }) =>
    sql.get(
      'select number, created_at from audit_records where tenant = ? and number < ? order by number desc limit 1 offset ?',
      tenant,
      below,
      WINDOW - 1,
    ),
)

const findNumber = defineStep(
  'audit.number',
  { mode: 'read', statements: 'one' },
  async (sql: Sql, { call_id, id }: { readonly call_id: string; readonly id: string }) =>
    (await sql.get('select number from audit_records where call_id = ? and id = ?', call_id, id))
      ?.number,
)

const findByKey = defineStep(
  'audit.by-key',
  { mode: 'read', statements: 'one' },
  async (sql: Sql, { tenant, key }: { readonly tenant: string; readonly key: string }) =>
    (
      await sql.all(
        "select distinct call_id from call_traces where tenant = ? and key = ? and key <> '' limit 500",
        tenant,
        key,
      )
    ).map(({ call_id }) => String(call_id)),
)

const MOST_CALLS = 500

// PostgreSQL reads all inputs in a moment, and other requests beside it.
const findByText = defineStep(
  'audit.by-text',
  { mode: 'read', statements: 'one' },
  async (sql: Sql, { tenant, text }: { readonly tenant: string; readonly text: string }) =>
    (
      await sql.all(
        `select call_id from call_traces where tenant = ? and ${INPUT_HAS_TEXT} limit ${MOST_CALLS}`,
        tenant,
        containing(text),
      )
    ).map(({ call_id }) => String(call_id)),
)

/**
 * The newest matching records. What no index finds is looked for in windows, from the newest on, so
 * that a rare value does not hold up other requests while the whole audit is read.
 */
export async function listInWindows(
  database: Pick<Database, 'step' | 'dialect'>,
  { key, ...filter }: AuditFilter,
): Promise<readonly AuditRecord[]> {
  if (key !== undefined) {
    const callIds = await database.step(findByKey, { tenant: filter.tenant, key })
    return callIds.length === 0 ? [] : database.step(listRecords, { ...filter, callIds })
  }
  if (filter.text !== undefined && database.dialect === 'postgres') {
    const { text, ...others } = filter
    const callIds = await database.step(findByText, { tenant: filter.tenant, text })
    if (callIds.length === 0) return []
    // A word that many calls have is found in the first windows.
    if (callIds.length < MOST_CALLS) return database.step(listRecords, { ...others, callIds })
  }
  if (!needsWindows(filter)) return database.step(listRecords, filter)
  const { before, limit = MOST, ...wanted } = filter
  const start =
    before === undefined ? Number.MAX_SAFE_INTEGER : await database.step(findNumber, before)
  const found: AuditRecord[] = []
  for (let below = Number(start ?? 0); below > 0 && found.length < limit; ) {
    const edge = await database.step(findWindow, { tenant: wanted.tenant, below })
    const window = { from: Number(edge?.number ?? 0), below }
    const some = await database.step(listRecords, {
      ...wanted,
      window,
      limit: limit - found.length,
    })
    found.unshift(...some)
    if (Number(edge?.created_at) < (wanted.since ?? 0) - LATE_MS) break
    below = window.from
    await setImmediate()
  }
  return found
}

function needsWindows({ callId, requestIds, ...filter }: AuditFilter): boolean {
  if (callId !== undefined || requestIds !== undefined) return false
  const { toolName, principal, actor, outcome, text, since, until } = filter
  // Nearly all records are outcomes.
  if (filter.phase !== undefined && filter.phase !== 'outcome') return true
  const compared = [toolName, principal, actor, outcome, text, since, until]
  return compared.some((value) => value !== undefined)
}
