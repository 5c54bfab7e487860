import type { Row } from '@surehand/core/internal'
import type { AuditEntry, AuditRecord } from '@surehand/core/ports'
import type { Sql, Statement } from '../step.ts'
import { inChunks } from './in-chunks.ts'

/** An entry with its hashes made: plain data that may cross into another thread. */
export function toRecord({ input, output, ...entry }: AuditEntry): AuditRecord {
  return { ...entry, input_hash: input.hash, output_hash: output.hash }
}

const TYPES = {
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

const COLUMNS = Object.keys(TYPES) as (keyof AuditRecord)[]

export const RECORD_COLUMNS: string = COLUMNS.join(', ')
export const RECORD_COLUMN_LIST: readonly string[] = COLUMNS

const castOf = (column: keyof AuditRecord): string => `cast(? as ${TYPES[column]})`
// the database's time, less what the record has waited: a node whose clock is a day off would sign records that are a day off
const agedOf = (column: keyof AuditRecord): string =>
  column === 'created_at' ? `{now} - ${castOf(column)}` : castOf(column)

// a select of casts and no values: PostgreSQL hangs it behind the statement it depends on
const insertOf = (expressionOf: (column: keyof AuditRecord) => string): string =>
  `insert into audit_records (${RECORD_COLUMNS}) select ${COLUMNS.map(expressionOf).join(', ')}`
const INSERT = insertOf(agedOf)
const INSERT_DATED = insertOf(castOf)
const INSERT_MISSING = `${INSERT} where not exists (select 1 from audit_records where call_id = ? and id = ?)`

/** A record and how long ago what it tells happened, by the node's steady clock. */
export type AgedRecord = { readonly record: AuditRecord; readonly ageMs: number }

/** Writes a record down, unsequenced: its place in the tree is given later. Its time is the database's. */
export function insertRecord(record: AuditRecord): Statement {
  return { text: INSERT, values: valuesOf(record, 0) }
}

const OUTPUT_HASH = COLUMNS.indexOf('output_hash')

/** A record as the values of its columns, for whoever takes it into another thread. */
export function recordValues(record: AuditRecord): readonly (string | number)[] {
  return valuesOf(record, 0)
}

/** Writes down a record whose output is known by now. */
export function insertRecordValues(
  values: readonly (string | number)[],
  outputHash: string,
): Statement {
  const known = values.slice()
  known[OUTPUT_HASH] = outputHash
  return { text: INSERT, values: known }
}

const CREATED_AT = COLUMNS.indexOf('created_at')

/** The values of a record that is written down now, with its output known. */
export function datedValues(
  values: readonly (string | number)[],
  outputHash: string,
  now: number,
): (string | number)[] {
  const dated = values.slice()
  dated[OUTPUT_HASH] = outputHash
  dated[CREATED_AT] = now
  return dated
}

/** Writes a record down with the time that it names, which must be the database's. */
export function insertDatedRecord(record: AuditRecord): Statement {
  return { text: INSERT_DATED, values: valuesOf(record, record.created_at) }
}

/** Writes a record down unless it stands there: an attempt that failed on the way back may have written it. */
export function insertMissingRecord({ record, ageMs }: AgedRecord): Statement {
  return {
    text: INSERT_MISSING,
    values: [...valuesOf(record, ageMs), plain(record.call_id), plain(record.id)],
  }
}

const PLACES = `(${COLUMNS.map((column) => (column === 'created_at' ? agedOf(column) : '?')).join(', ')})`

/** Writes many records down, in their order. */
export async function insertRecords(sql: Sql, records: readonly AgedRecord[]): Promise<void> {
  for (const chunk of inChunks(records)) {
    const text = `insert into audit_records (${RECORD_COLUMNS}) values ${chunk.map(() => PLACES).join(', ')}`
    await sql.run(text, ...chunk.flatMap(({ record, ageMs }) => valuesOf(record, ageMs)))
  }
}

// `time`: its age, or the time itself where it is dated
function valuesOf(record: AuditRecord, time: number): (string | number)[] {
  return COLUMNS.map((column) => plain(column === 'created_at' ? time : record[column]))
}

// a character that no database takes would stop a write, or a whole batch of reads, for an error text or a name that somebody made up
function plain(value: string | number | boolean): string | number {
  switch (typeof value) {
    case 'boolean':
      return Number(value)
    case 'number':
      return Number.isFinite(value) ? value : 0
    case 'string':
      return NO_TEXT.test(value) ? value.toWellFormed().replaceAll('\0', '\ufffd') : value
  }
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
