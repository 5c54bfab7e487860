import type { SqlValue } from '@surehand/core/internal'
import { datedValues, RECORD_COLUMN_LIST } from '../../audit/record-row.ts'
import {
  DONE_COLUMNS,
  doneValues,
  FIRST_FENCE,
  type Given,
  givenValue,
} from '../../calls/call-row.ts'
import { type LocalRequest, serializeResult } from '../../local-effect.ts'
import type { Connection } from '../connection.ts'
import type { WriteRequest, WriteResult } from './batch.ts'
import { type CommitGate, isCancelled, setProgress } from './commit-gate.ts'
import { CANCELLED, type TransactionRunner } from './transaction-runner.ts'

/** A first call, and its index in the batch. */
export type FirstCall = { readonly index: number; readonly request: LocalRequest }

/**
 * The fast path for the first calls of a batch: one query checks that their keys are unused, their
 * functions run one after another, and one statement writes the rows of all of them.
 */
export type BulkRunner = {
  /**
   * The first calls of a batch; none when one of its local effects cannot take the fast path. Steps
   * beside them do not matter: traces and audit records are written several times a second, and
   * must not take the fast path from the calls that happen to be in the same batch.
   */
  readonly firstCalls: (writes: readonly WriteRequest[]) => readonly FirstCall[]
  /**
   * The results by index. Throws RUN_ONE_BY_ONE when the calls cannot take the fast path. Any other
   * error has ended the transaction.
   */
  readonly run: (
    calls: readonly FirstCall[],
    gate: CommitGate,
  ) => Promise<ReadonlyMap<number, WriteResult>>
}

/**
 * The batch has to be run one by one: a key was used before, a function failed, or an entry was
 * cancelled.
 */
export const RUN_ONE_BY_ONE: Error = new Error('one by one')

/** A function that was run, and its result as it is stored. */
type Applied = DoneLocal & { readonly index: number; readonly result: unknown }

const NO_CALLS: readonly FirstCall[] = []

export function createBulkRunner(
  connection: Connection,
  { withTransaction, started, markFailed, hasFailedRecently }: TransactionRunner,
): BulkRunner {
  const writer = createFirstCallWriter(connection)

  async function apply({ index, request }: FirstCall, gate: CommitGate): Promise<Applied> {
    if (isCancelled(gate, index)) throw RUN_ONE_BY_ONE
    started.add(index)
    try {
      const result = await withTransaction(request, { gate, index }, (applied) => applied())
      return { index, request, result, ...serializeResult(request.name, result) }
    } catch (cause) {
      if (cause !== CANCELLED) markFailed(request.name)
      throw cause
    }
  }

  async function applyAll(
    calls: readonly FirstCall[],
    gate: CommitGate,
  ): Promise<ReadonlyMap<number, WriteResult>> {
    if (!writer.areFirst(calls.map(({ request }) => request))) throw RUN_ONE_BY_ONE
    const done: Applied[] = []
    for (const call of calls) {
      setProgress(gate, call.index)
      done.push(await apply(call, gate))
    }
    if (!writer.write(done)) throw RUN_ONE_BY_ONE
    return new Map(done.map((applied) => [applied.index, toStored(applied)]))
  }

  return {
    firstCalls(writes) {
      const calls: FirstCall[] = []
      for (const [index, write] of writes.entries()) {
        if (write.kind !== 'local') continue
        const { request } = write
        if (!isPlain(request) || hasFailedRecently(request.name)) return NO_CALLS
        calls.push({ index, request })
      }
      return calls
    },
    async run(calls, gate) {
      try {
        return await applyAll(calls, gate)
      } catch (thrown) {
        // SQLite may have ended the whole transaction by itself, for example because the disk is
        // full.
        if (!connection.database.isTransaction) throw thrown
        throw RUN_ONE_BY_ONE
      }
    },
  }
}

function toStored({ result, json }: Applied): WriteResult {
  return { kind: 'stored', fence: FIRST_FENCE, json: result === undefined ? undefined : json }
}

/** A first call that needs nothing but its effect, its row and its record. */
function isPlain({ claim, secretKeys }: LocalRequest): boolean {
  const { given, resumes, guardMs } = claim
  const isAlone =
    givenValue(given, 'parent_id') === null &&
    givenValue(given, 'is_secret') === 0 &&
    secretKeys.length === 0
  return isAlone && !resumes && guardMs === undefined
}

/** A local effect that was done in the current transaction, and its result as it is stored. */
type DoneLocal = {
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
  records: ['id', 'call_id', 'request_id', 'input_hash', 'output_hash', 'duration_ms', 'seal'],
}
const VERSION = 'select version from admin_versions where tenant = ?'

function createFirstCallWriter(connection: Connection): FirstCallWriter {
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

/** The table and columns to insert into. */
type Into = {
  readonly table: string
  readonly columns: readonly string[]
  /**
   * The columns that differ from row to row. The first column is one of them and never null; all
   * others usually have one value for all rows.
   */
  readonly own: readonly string[]
  /** Which rows are skipped without an error. */
  readonly unless: '' | 'on conflict do nothing'
}

/**
 * Inserts rows with one statement, binding the values they share once, and returns how many were
 * inserted.
 */
function rowInserter(
  { prepare }: Connection,
  into: Into,
): (rows: readonly (readonly SqlValue[])[]) => number {
  const all = into.columns.map((_, index) => index)
  const own = all.filter((index) => into.own.includes(into.columns[index] ?? ''))
  const shared = all.filter((index) => !own.includes(index))
  const sharing = textsOf(into, own, shared)
  const apart = textsOf(into, all, [])

  return (rows) => {
    const [first] = rows
    if (first === undefined) return 0
    const isSharing = shared.every((index) => rows.every((row) => row[index] === first[index]))
    const indexes = isSharing ? own : all
    const room = roomFor(rows.length)
    const values: SqlValue[] = []
    for (const row of rows) for (const index of indexes) values.push(row[index] ?? null)
    for (let missing = (room - rows.length) * indexes.length; missing > 0; missing--)
      values.push(null)
    if (isSharing) for (const index of shared) values.push(first[index] ?? null)
    return Number(prepare((isSharing ? sharing : apart)(room)).run(...values).changes)
  }
}

/**
 * The number of rows that the statement for so many rows can hold: a statement for every number
 * would fill the cache.
 */
function roomFor(count: number): number {
  if (count <= 8) return 2 ** Math.ceil(Math.log2(count))
  return count <= 64 ? Math.ceil(count / 8) * 8 : Math.ceil(count / 32) * 32
}

function textsOf(
  into: Into,
  own: readonly number[],
  shared: readonly number[],
): (room: number) => string {
  const texts = new Map<number, string>()
  return (room) => {
    const known = texts.get(room)
    if (known !== undefined) return known
    const text = insertText(into, { own, shared, room })
    texts.set(room, text)
    return text
  }
}

type Shape = {
  readonly own: readonly number[]
  readonly shared: readonly number[]
  readonly room: number
}

function insertText({ table, columns, unless }: Into, { own, shared, room }: Shape): string {
  const expressions = columns.map((_, index) =>
    shared.includes(index) ? `shared.value${index}` : `own.column${own.indexOf(index) + 1}`,
  )
  const row = `(${own.map(() => '?').join(', ')})`
  const rows = `(values ${Array.from({ length: room }, () => row).join(', ')}) own`
  const from =
    shared.length === 0
      ? rows
      : `${rows}, (select ${shared.map((index) => `? as value${index}`).join(', ')}) shared`
  // A row of nulls only fills up the statement.
  return `insert into ${table} (${columns.join(', ')}) select ${expressions.join(', ')} from ${from} where own.column1 is not null ${unless}`
}
