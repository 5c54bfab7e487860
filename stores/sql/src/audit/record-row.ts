import { hash } from 'node:crypto'
import type { Row } from '@surehand/core/internal'
import type { AuditEntry, AuditRecord } from '@surehand/core/ports'
import type { Sql, Statement } from '../step.ts'
import { inChunks } from './in-chunks.ts'

/** A record with the seal of the process that wrote it; see record-seal.ts. */
export type StoredRecord = AuditRecord & { readonly seal?: string }

/**
 * An entry with its hashes computed: plain data that can be sent to another thread. Member by member,
 * because a rest with a spread takes several times as long, and every call comes through here.
 */
export function toRecord(entry: AuditEntry): AuditRecord {
  return {
    id: entry.id,
    phase: entry.phase,
    call_id: entry.call_id,
    request_id: entry.request_id,
    tenant: entry.tenant,
    principal: entry.principal,
    actor: entry.actor,
    surface: entry.surface,
    tool_name: entry.tool_name,
    tool_version: entry.tool_version,
    definition_hash: entry.definition_hash,
    input_hash: entry.input.hash,
    output_hash: entry.output.hash,
    success: entry.success,
    outcome: entry.outcome,
    code: entry.code,
    error: entry.error,
    duration_ms: entry.duration_ms,
    source: entry.source,
    created_at: entry.created_at,
  }
}

/** The columns of a record, with their types. */
export const RECORD_TYPES = {
  id: 'text',
  phase: 'text',
  call_id: 'text',
  request_id: 'text',
  tenant: 'text',
  principal: 'text',
  actor: 'text',
  surface: 'text',
  tool_name: 'text',
  tool_version: 'text',
  definition_hash: 'text',
  input_hash: 'text',
  output_hash: 'text',
  success: 'bigint',
  outcome: 'text',
  code: 'text',
  error: 'text',
  duration_ms: 'double precision',
  source: 'text',
  created_at: 'double precision',
} as const satisfies Record<keyof AuditRecord, string>

const COLUMNS = Object.keys(RECORD_TYPES) as (keyof AuditRecord)[]

type Reader = (entry: AuditEntry) => string | number | boolean

/**
 * How each value is read from an entry; its age is not in it. Written out, because a function that
 * is given the name of a column takes several times as long.
 */
const READERS: Readonly<Record<keyof AuditRecord, Reader>> = {
  id: (entry) => entry.id,
  phase: (entry) => entry.phase,
  call_id: (entry) => entry.call_id,
  request_id: (entry) => entry.request_id,
  tenant: (entry) => entry.tenant,
  principal: (entry) => entry.principal,
  actor: (entry) => entry.actor,
  surface: (entry) => entry.surface,
  tool_name: (entry) => entry.tool_name,
  tool_version: (entry) => entry.tool_version,
  definition_hash: (entry) => entry.definition_hash,
  input_hash: (entry) => entry.input.hash,
  output_hash: (entry) => entry.output.hash,
  success: (entry) => entry.success,
  outcome: (entry) => entry.outcome,
  code: (entry) => entry.code,
  error: (entry) => entry.error,
  duration_ms: (entry) => entry.duration_ms,
  source: (entry) => entry.source,
  created_at: () => 0,
}

/** The same in the order of the columns. */
export const COLUMN_READERS: readonly Reader[] = COLUMNS.map((column) => READERS[column])

export const RECORD_COLUMNS: string = COLUMNS.join(', ')
/** The columns that a write sets. */
export const RECORD_COLUMN_LIST: readonly string[] = [...COLUMNS, 'seal']

const castOf = (column: keyof AuditRecord): string => `cast(? as ${RECORD_TYPES[column]})`
// The database's time, minus the time the record has waited: a node whose clock is wrong would
// otherwise produce wrong records.
const agedOf = (column: keyof AuditRecord): string =>
  column === 'created_at' ? `{now} - ${castOf(column)}` : castOf(column)

// A select of casts instead of VALUES, so that PostgreSQL can append it to the statement it depends
// on.
const insertOf = (expressionOf: (column: keyof AuditRecord) => string): string =>
  `insert into audit_records (${RECORD_COLUMN_LIST.join(', ')}) select ${COLUMNS.map(expressionOf).join(', ')}, cast(? as text)`
const INSERT = insertOf(agedOf)
const INSERT_DATED = insertOf(castOf)
const INSERT_MISSING = `${INSERT} where not exists (select 1 from audit_records where call_id = ? and id = ?)`

/**
 * Writes a record without a position, which the sequencer assigns later. Its time is the
 * database's.
 */
export function insertRecord(record: StoredRecord): Statement {
  return { text: INSERT, values: valuesOf(record, 0) }
}

/** The place of each column among the values of a record. */
export const COLUMN: Readonly<Record<keyof AuditRecord, number>> = Object.fromEntries(
  COLUMNS.map((column, index) => [column, index]),
  // erased: it has every column
) as Record<keyof AuditRecord, number>
const OUTPUT_HASH = COLUMN.output_hash
const CREATED_AT = COLUMN.created_at
const SEAL = COLUMNS.length
// 132 bits.
const SEAL_LENGTH = 22

export type RecordValues = readonly (string | number | null)[]

/** A record as the values of its columns, which can be sent to another thread cheaply. */
export function recordValues(record: StoredRecord): RecordValues {
  return valuesOf(record, 0)
}

/** The same after it has waited for so long, by the node's monotonic clock. */
export function olderValues(values: RecordValues, waitedMs: number): RecordValues {
  const older = values.slice()
  older[CREATED_AT] = Number(values[CREATED_AT]) + Math.round(waitedMs)
  return older
}

export function tenantIn(values: RecordValues): string {
  return String(values[COLUMN.tenant])
}

/**
 * Values of a record without its output, which is added later, and with a seal of all others, which
 * the output closes.
 */
export function openValues(
  record: AuditRecord,
  sealOf: (values: RecordValues) => string | null,
): RecordValues {
  const values = valuesOf(record, 0)
  values[OUTPUT_HASH] = ''
  values[SEAL] = null
  values[SEAL] = sealOf(values)
  return values
}

/** The seal of such values. */
export function sealIn(values: RecordValues): string {
  return String(values[SEAL])
}

/** Writes a record whose output is known by now. */
export function insertRecordValues(values: RecordValues, outputHash: string): Statement {
  return { text: INSERT, values: withOutput(values, outputHash) }
}

/** The same with its seal. */
export function sealedValues(
  values: RecordValues,
  sealOf: (values: RecordValues) => string,
): RecordValues {
  const outputHash = String(values[OUTPUT_HASH])
  const opened = values.slice()
  opened[OUTPUT_HASH] = ''
  opened[CREATED_AT] = 0
  opened[SEAL] = null
  opened[SEAL] = sealOf(opened)
  const sealed = withOutput(opened, outputHash)
  sealed[CREATED_AT] = values[CREATED_AT] ?? 0
  return sealed
}

/** Closes a seal that was made before the output was known; see record-seal.ts. */
export function closeSeal(opened: string, outputHash: string): string {
  return shortenSeal(hash('sha256', `${opened}${outputHash}`, 'base64url'))
}

export function shortenSeal(seal: string): string {
  return seal.slice(0, SEAL_LENGTH)
}

export function withOutput(values: RecordValues, outputHash: string): (string | number | null)[] {
  const known = values.slice()
  known[OUTPUT_HASH] = outputHash
  const opened = known[SEAL]
  if (typeof opened === 'string') known[SEAL] = closeSeal(opened, outputHash)
  return known
}

/** The values of a record that is written now, with its output known. */
export function datedValues(
  values: RecordValues,
  outputHash: string,
  now: number,
): (string | number | null)[] {
  const dated = withOutput(values, outputHash)
  dated[CREATED_AT] = now
  return dated
}

/** Writes a record with its own time, which must be the database's. */
export function insertDatedRecord(record: StoredRecord): Statement {
  return { text: INSERT_DATED, values: valuesOf(record, record.created_at) }
}

/**
 * Writes a record unless it exists: a failed attempt may have written it and lost only the result.
 */
export function insertMissingRecord(values: RecordValues): Statement {
  return {
    text: INSERT_MISSING,
    values: [...values, values[COLUMN.call_id] ?? null, values[COLUMN.id] ?? null],
  }
}

const PLACES = `(${COLUMNS.map((column) => (column === 'created_at' ? agedOf(column) : '?')).join(', ')}, cast(? as text))`

/** Writes many records, in their order. */
export async function insertRecords(sql: Sql, rows: readonly RecordValues[]): Promise<void> {
  for (const chunk of inChunks(rows)) {
    const text = `insert into audit_records (${RECORD_COLUMN_LIST.join(', ')}) values ${chunk.map(() => PLACES).join(', ')}`
    await sql.run(text, ...chunk.flat())
  }
}

/**
 * Values as their row will be read: with its number, written at this time. Member by member, because
 * an object whose members are named by a list takes several times as long.
 */
export function rowOf(values: RecordValues, number: number, now: number): Row {
  const [
    id = null,
    phase = null,
    call_id = null,
    request_id = null,
    tenant = null,
    principal = null,
    actor = null,
    surface = null,
    tool_name = null,
    tool_version = null,
    definition_hash = null,
    input_hash = null,
    output_hash = null,
    success = null,
    outcome = null,
    code = null,
    error = null,
    duration_ms = null,
    source = null,
    ageMs = 0,
    seal = null,
  ] = values
  return {
    number,
    id,
    phase,
    call_id,
    request_id,
    tenant,
    principal,
    actor,
    surface,
    tool_name,
    tool_version,
    definition_hash,
    input_hash,
    output_hash,
    success,
    outcome,
    code,
    error,
    duration_ms,
    source,
    created_at: now - Number(ageMs),
    seal,
  }
}

// `time`: its age, or the time itself where it is dated.
function valuesOf(record: StoredRecord, time: number): (string | number | null)[] {
  // Of its full length at once: one more value at the end would copy the others.
  const values = new Array<string | number | null>(COLUMNS.length + 1)
  for (let index = 0; index < COLUMNS.length; index++) {
    // erased: the index is within the columns
    const column = COLUMNS[index] as keyof AuditRecord
    values[index] = toStorable(column === 'created_at' ? time : record[column])
  }
  values[SEAL] = record.seal ?? null
  return values
}

// A character that the database does not accept would fail a write or a whole batch, because of an
// error text or an invented name.
export function toStorable(value: string | number | boolean): string | number {
  switch (typeof value) {
    case 'boolean':
      return Number(value)
    case 'number':
      return Number.isFinite(value) ? value : 0
    case 'string':
      return storableText(value)
  }
}

/** A text without NUL and without halves of surrogate pairs, which PostgreSQL does not accept. */
export function storableText(text: string): string {
  return NO_TEXT.test(text) ? text.toWellFormed().replaceAll('\0', '\ufffd') : text
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: it is what is looked for
const NO_TEXT = /[\u0000\ud800-\udfff]/

export function recordOf(row: Row): AuditRecord {
  // erased: the row was written from a record by the statements above
  return {
    ...(Object.fromEntries(
      COLUMNS.map((column) => [column, row[column]]),
    ) as unknown as AuditRecord),
    success: row.success === 1,
  }
}
