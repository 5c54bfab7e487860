import type { SqlValue } from '@surehand/core/internal'
import { datedValues, RECORD_COLUMN_LIST } from '../../audit/record-row.ts'
import { DONE_COLUMNS, doneValues, type Given, givenValue } from '../../calls/call-row.ts'
import type { LocalRequest } from '../../local-effect.ts'
import type { Connection } from '../connection.ts'
import { roomFor, rowInserter } from './insert-rows.ts'

/** A local effect that was done in the current transaction, and its result as it is stored. */
export type DoneLocal = {
  readonly request: LocalRequest
  readonly json: string
  readonly hash: string
}

export type FirstCallWriter = {
  /**
   * Whether all of them were checked against the current administration, and all keys are unused.
   */
  readonly areFirst: (requests: readonly LocalRequest[]) => boolean
  /**
   * Writes the rows and the records, with one statement each. Returns false when a row conflicted
   * with an existing one.
   */
  readonly write: (done: readonly DoneLocal[]) => boolean
}

// The columns that differ between calls of one caller and one tool.
const OWN = {
  calls: ['call_id', 'key', 'input_hash', 'provider_key', 'request_id', 'answer'],
  records: ['id', 'call_id', 'request_id', 'input_hash', 'output_hash', 'duration_ms'],
}
const VERSION = 'select version from admin_versions where tenant = ?'

export function createFirstCallWriter(connection: Connection): FirstCallWriter {
  const { prepare } = connection
  const areUsed = usedKeys(connection)
  const insertCalls = rowInserter(connection, {
    table: 'calls',
    columns: DONE_COLUMNS,
    own: OWN.calls,
    unless: 'on conflict do nothing',
  })
  const insertRecords = rowInserter(connection, {
    table: 'audit_records',
    columns: RECORD_COLUMN_LIST,
    own: OWN.records,
    unless: '',
  })

  function now(): number {
    return Number(prepare('select {now} as now').get()?.now)
  }

  function areUpToDate(requests: readonly LocalRequest[]): boolean {
    const versions = new Map<SqlValue, number>()
    return requests.every(({ claim: { given, adminVersion } }) => {
      if (adminVersion === undefined) return true
      const tenant = givenValue(given, 'tenant')
      const version = versions.get(tenant) ?? Number(prepare(VERSION).get(tenant)?.version ?? 0)
      versions.set(tenant, version)
      return version === adminVersion
    })
  }

  return {
    areFirst: (requests) =>
      areUpToDate(requests) && !areUsed(requests.map(({ claim }) => claim.given)),
    write(done) {
      const at = now()
      const calls = done.map(({ request, json }) =>
        doneValues(request.claim.given, storedAnswer(json), at),
      )
      if (insertCalls(calls) < done.length) return false
      insertRecords(done.map(({ request, hash }) => datedValues(request.record, hash, at)))
      return true
    },
  }
}

function storedAnswer(json: string): string {
  return JSON.stringify({ kind: 'output', json, warnings: [] })
}

/** Calls of one caller and one tool, among which a key may occur only once. */
type Scope = {
  readonly tenant: SqlValue
  readonly principal: SqlValue
  readonly toolId: SqlValue
  readonly keys: SqlValue[]
}

/** Whether any of these calls has a key that is in the ledger, or that another of them has too. */
function usedKeys({ prepare }: Connection): (calls: readonly Given[]) => boolean {
  function isUsed({ tenant, principal, toolId, keys }: Scope): boolean {
    if (new Set(keys).size < keys.length) return true
    const room = roomFor(keys.length)
    const filled = keys.concat(Array<SqlValue>(room - keys.length).fill(null))
    return prepare(textFor(room)).get(tenant, principal, toolId, ...filled) !== undefined
  }
  return (calls) => scopesOf(calls).some(isUsed)
}

function scopesOf(calls: readonly Given[]): readonly Scope[] {
  const scopes: Scope[] = []
  for (const given of calls) {
    const [tenant, principal, toolId] = [
      givenValue(given, 'tenant'),
      givenValue(given, 'principal'),
      givenValue(given, 'tool_id'),
    ]
    const scope = scopes.find(
      (one) => one.principal === principal && one.toolId === toolId && one.tenant === tenant,
    )
    if (scope === undefined)
      scopes.push({ tenant, principal, toolId, keys: [givenValue(given, 'key')] })
    else scope.keys.push(givenValue(given, 'key'))
  }
  return scopes
}

const texts = new Map<number, string>()

function textFor(room: number): string {
  const known = texts.get(room)
  if (known !== undefined) return known
  const keys = Array.from({ length: room }, () => '?').join(', ')
  const text = `select 1 as used from calls where tenant = ? and principal = ? and tool_id = ? and key in (${keys}) and holds_key = 1 limit 1`
  texts.set(room, text)
  return text
}
