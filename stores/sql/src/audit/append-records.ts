import type { AuditRecord } from '@surehand/core/ports'
import { defineStep, type Sql } from '../step.ts'
import { type AgedRecord, insertMissingRecord, insertRecord, insertRecords } from './record-row.ts'

/** `agesMs`: how long each has waited to be written; without, not at all. */
type Records = { readonly records: readonly AuditRecord[]; readonly agesMs?: readonly number[] }

function agedOf({ records, agesMs = [] }: Records): readonly AgedRecord[] {
  return records.map((record, index) => ({ record, ageMs: agesMs[index] ?? 0 }))
}

/** One record, on disk when it returns. */
export const appendRecord = defineStep(
  'audit.append-one',
  { mode: 'durable', statements: 'one' },
  async (sql: Sql, record: AuditRecord): Promise<void> => {
    const { text, values } = insertRecord(record)
    await sql.run(text, ...values)
  },
)

/** A batch of records, all or none. */
export const appendRecords = defineStep(
  'audit.append',
  { mode: 'durable', statements: 'many' },
  (sql: Sql, batch: Records): Promise<void> => insertRecords(sql, agedOf(batch)),
)

/** A batch that may have been written by an attempt that failed on its way back. */
export const appendMissing = defineStep(
  'audit.append-missing',
  { mode: 'durable', statements: 'many' },
  async (sql: Sql, batch: Records): Promise<void> => {
    for (const aged of agedOf(batch)) {
      const { text, values } = insertMissingRecord(aged)
      await sql.run(text, ...values)
    }
  },
)
