import type { SqlValue } from '@surehand/core/internal'
import { datedValues, RECORD_COLUMN_LIST } from '../audit/record-row.ts'
import { DONE_COLUMNS, doneValues, givenValue } from '../calls/call-row.ts'
import type { LocalRequest } from '../local-effect.ts'
import type { Connection } from './connection.ts'
import { rowInserter } from './insert-rows.ts'
import { usedKeys } from './used-keys.ts'

/** A local effect that was done in the transaction under way, and its result as it is kept. */
export type DoneLocal = {
  readonly request: LocalRequest
  readonly json: string
  readonly hash: string
}

export type TogetherWriter = {
  /** Whether all of them were judged by the rules that hold, and bring keys that nobody has used. */
  readonly areFirst: (requests: readonly LocalRequest[]) => boolean
  /** Writes down what was done, with its records, as one statement each. False: there was no room for all of them. */
  readonly write: (done: readonly DoneLocal[]) => boolean
}

// what calls of one caller and one tool do not share
const OWN = {
  calls: ['call_id', 'key', 'input_hash', 'provider_key', 'request_id', 'answer'],
  records: ['id', 'call_id', 'request_id', 'input_hash', 'output_hash', 'duration_ms'],
}
const VERSION = 'select version from admin_versions where tenant = ?'

export function togetherWriter(connection: Connection): TogetherWriter {
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
        doneValues(request.claim.given, keptAnswer(json), at),
      )
      if (insertCalls(calls) < done.length) return false
      insertRecords(done.map(({ request, hash }) => datedValues(request.record, hash, at)))
      return true
    },
  }
}

function keptAnswer(json: string): string {
  return JSON.stringify({ kind: 'output', json, warnings: [] })
}
