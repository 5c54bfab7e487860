import type { LocalRun } from '@surehand/core/ports'
import type pg from 'pg'
import { RECORD_TYPES, withOutput } from '../../audit/record-row.ts'
import { doneValues, GIVEN } from '../../calls/call-row.ts'
import type { LocalRequest } from '../../local-effect.ts'
import { lockNumber } from '../lock-number.ts'
import type { Send } from '../session.ts'
import type { Statements } from '../statements.ts'
import { keyName, takeNumbers } from '../taken.ts'
import {
  type Columns,
  HAS_KEY,
  KEY_COLUMNS,
  keyValues,
  recordset,
  recordsetValue,
} from './recordset.ts'

/** Whether a call needs nothing but its effect, its row and its record. */
export function isFirstCall({ claim: { resumes, guardMs, call } }: LocalRun): boolean {
  return !resumes && guardMs === undefined && call.parentId === undefined && !call.isSecret
}

const VERSIONS = { tenant: 'text', version: 'bigint' }
// It fails the transaction where a key is used, a version is outdated, or a lock is held: what is
// sent after it is then not executed.
const CHECK = `select
  1 / cast((select count(*) from ${recordset('wanted', KEY_COLUMNS)}
    cross join lateral (select 1 from calls where ${HAS_KEY} limit 1) as found) = 0 as integer),
  1 / cast((select count(*) from ${recordset('checked', VERSIONS)}
    where version <> coalesce((select version from admin_versions where admin_versions.tenant = checked.tenant), 0)) = 0 as integer),
  (${takeNumbers('cast(? as json)')})`

/**
 * Locks the keys of these calls. Throws unless all of them are unused and held by no other
 * transaction, and all calls were checked against the current administration.
 */
export async function checkFirst(
  send: Send,
  statement: Statements,
  runs: readonly LocalRun[],
): Promise<void> {
  const calls = runs.map(({ claim }) => claim.call)
  const versions = runs.flatMap(({ claim: { call, adminVersion } }) =>
    adminVersion === undefined ? [] : [[call.tenant, adminVersion]],
  )
  // A key that was generated for its call cannot be held by another one.
  const numbers = calls
    .filter(({ keySource }) => keySource !== 'fresh')
    .map((call) => lockNumber(keyName(call)))
  await send(
    statement(CHECK, [
      recordsetValue(KEY_COLUMNS, calls.map(keyValues)),
      recordsetValue(VERSIONS, versions),
      JSON.stringify(numbers),
    ]),
  )
}

// In the order of their values: see `doneValues` and `RecordValues`.
const DONE: Columns = {
  ...Object.fromEntries(Object.entries(GIVEN).map(([column, [type]]) => [column, type])),
  holds_key: 'bigint',
  state: 'text',
  fence: 'bigint',
  answer: 'text',
  created_at: 'bigint',
  updated_at: 'bigint',
}
const RECORD: Columns = { ...RECORD_TYPES, seal: 'text' }
const TIMES = ['created_at', 'updated_at']

// The last line fails the transaction where a row was not written, because its key is used by now.
const WRITE = `with written as (${insertOf('calls', DONE)} on conflict do nothing returning 1),
  recorded as (${insertOf('audit_records', RECORD)} returning 1)
  select 1 / cast((select count(*) from written) = cast(? as bigint) as integer)`

function insertOf(table: string, columns: Columns): string {
  const names = Object.keys(columns)
  const values = names.map((name) => (TIMES.includes(name) ? '{now}' : `given.${name}`))
  return `insert into ${table} (${names.join(', ')}) select ${values.join(', ')} from ${recordset('given', columns)}`
}

/** A local effect that was done in the current transaction, and its result as it is stored. */
export type DoneLocal = {
  readonly request: LocalRequest
  readonly json: string
  readonly hash: string
}

/** The statement that writes the rows and the records of these calls, or fails the transaction. */
export function writeAll(statement: Statements, done: readonly DoneLocal[]): pg.QueryConfig {
  const rows = done.map(({ request, json }) => {
    const answer = JSON.stringify({ kind: 'output', json, warnings: [] })
    return doneValues(request.claim.given, answer, 0)
  })
  const records = done.map(({ request, hash }) => withOutput(request.record, hash))
  return statement(WRITE, [
    recordsetValue(DONE, rows),
    recordsetValue(RECORD, records),
    done.length,
  ])
}
