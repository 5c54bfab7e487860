import { setImmediate } from 'node:timers/promises'
import type { Row, SqlValue } from '@surehand/core/internal'
import type { AuditFilter, AuditRecord } from '@surehand/core/ports'
import type { Database } from '../database.ts'
import { defineStep, type Sql } from '../step.ts'
import { RECORD_COLUMNS, recordOf } from './record-row.ts'
import { type Edge, findSegmentBelow, segmentsByCall } from './segments/find-segments.ts'
import {
  INPUT_HAS_TEXT,
  type Listing,
  listSegmentRows,
  toPattern,
} from './segments/list-segments.ts'
import { rowsIn } from './segments/segment.ts'

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

const HAS_TEXT = `exists (select 1 from call_traces t where t.call_id = audit_records.call_id
  and ${INPUT_HAS_TEXT})`

/** The newest matching records, oldest first. */
export const listRecords = defineStep(
  'audit.list',
  { mode: 'read', statements: 'many' },
  async (sql: Sql, listing: Listing): Promise<readonly AuditRecord[]> => {
    const { conditions, values } = toConditions(listing)
    const { limit = MOST } = listing
    const text = `select number, ${RECORD_COLUMNS} from audit_records where ${conditions.join(' and ')} order by number desc limit ?`
    const rows = await sql.all(text, ...values, limit)
    const others = await listSegmentRows(sql, listing, limit)
    return [...rows, ...others].sort(byNumber).slice(-limit).map(recordOf)
  },
)

function byNumber(one: Row, other: Row): number {
  return Number(one.number) - Number(other.number)
}

function toConditions({ tenant, requestIds, callIds, below, window, text, ...filter }: Listing) {
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
  if (below !== undefined) add('number < ?', below)
  if (window !== undefined) add('number >= ? and number < ?', window.from, window.below)
  if (text !== undefined) add(HAS_TEXT, toPattern(text))
  return { conditions, values }
}

// So many records are looked at in a few milliseconds, in which a SQLite server does nothing else.
const WINDOW = 4_000
const WINDOW_SEGMENTS = 64
// Records are numbered when they are written, which for reads is a moment after they were made.
const LATE_MS = 10 * 60_000

const WINDOW_EDGE =
  'select number, created_at from audit_records where tenant = ? and number < ? order by number desc limit 1 offset ?'

/** Where a window of so many records begins. */
const findWindow = defineStep(
  'audit.window',
  { mode: 'read', statements: 'many' },
  async (
    sql: Sql,
    { tenant, below }: { readonly tenant: string; readonly below: number },
  ): Promise<Edge | undefined> => {
    const row = await sql.get(WINDOW_EDGE, tenant, below, WINDOW - 1)
    const edges = [
      ...(row === undefined
        ? []
        : [{ number: Number(row.number), createdAt: Number(row.created_at) }]),
      ...(await findSegmentBelow(sql, tenant, below, WINDOW_SEGMENTS)),
    ]
    // The later one: a window has at most so many rows, and at most so many segments.
    return edges.toSorted((one, other) => one.number - other.number).at(-1)
  },
)

const findNumber = defineStep(
  'audit.number',
  { mode: 'read', statements: 'many' },
  async (
    sql: Sql,
    {
      tenant,
      call_id,
      id,
    }: { readonly tenant: string; readonly call_id: string; readonly id: string },
  ): Promise<number | undefined> => {
    const text = 'select number from audit_records where call_id = ? and id = ?'
    const row = await sql.get(text, call_id, id)
    if (row !== undefined) return Number(row.number)
    const segments = await segmentsByCall(sql, tenant, call_id)
    const found = segments.flatMap(rowsIn).find((one) => one.id === id && one.call_id === call_id)
    return found && Number(found.number)
  },
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
        toPattern(text),
      )
    ).map(({ call_id }) => String(call_id)),
)

/**
 * The newest matching records. What no index finds is looked for in windows, from the newest on, so
 * that a rare value does not hold up other requests while the whole audit is read.
 */
export async function listInWindows(
  database: Pick<Database, 'step' | 'dialect'>,
  { key, before, ...filter }: AuditFilter,
): Promise<readonly AuditRecord[]> {
  const { tenant } = filter
  // A record that is not there has none before it.
  const below =
    before === undefined
      ? Number.MAX_SAFE_INTEGER
      : ((await database.step(findNumber, { tenant, ...before })) ?? 0)
  const wanted = { ...filter, below }
  if (key !== undefined) {
    const callIds = await database.step(findByKey, { tenant, key })
    return callIds.length === 0 ? [] : database.step(listRecords, { ...wanted, callIds })
  }
  if (wanted.text !== undefined && database.dialect === 'postgres') {
    const { text, ...others } = wanted
    const callIds = await database.step(findByText, { tenant, text })
    if (callIds.length === 0) return []
    // A word that many calls have is found in the first windows.
    if (callIds.length < MOST_CALLS) return database.step(listRecords, { ...others, callIds })
  }
  return needsWindows(filter) ? listWindows(database, wanted) : database.step(listRecords, wanted)
}

async function listWindows(
  database: Pick<Database, 'step'>,
  { below, ...wanted }: Listing & { readonly below: number },
): Promise<readonly AuditRecord[]> {
  const { tenant, limit = MOST, since = 0 } = wanted
  const found: AuditRecord[] = []
  for (let until = below; until > 0 && found.length < limit; ) {
    const edge = await database.step(findWindow, { tenant, below: until })
    const window = { from: edge?.number ?? 0, below: until }
    const left = limit - found.length
    found.unshift(...(await database.step(listRecords, { ...wanted, window, limit: left })))
    if (edge !== undefined && edge.createdAt < since - LATE_MS) break
    until = window.from
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
