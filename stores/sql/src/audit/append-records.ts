import type { AuditRecord } from '@surehand/core/ports'
import { defineStep, type Sql } from '../step.ts'
import { type AgedRecord, insertMissingRecord, insertRecord, insertRecords } from './record-row.ts'

/** `agesMs`: how long each record has waited to be written; default 0. */
export type Records = {
  readonly records: readonly AuditRecord[]
  readonly agesMs?: readonly number[]
}

export function agedOf({ records, agesMs = [] }: Records): readonly AgedRecord[] {
  return records.map((record, index) => ({ record, ageMs: agesMs[index] ?? 0 }))
}

/** Writes one record durably. */
export const appendRecord = defineStep(
  'audit.append-one',
  { mode: 'durable', statements: 'one' },
  async (sql: Sql, record: AuditRecord): Promise<void> => {
    const { text, values } = insertRecord(record)
    await sql.run(text, ...values)
  },
)

/** Writes a batch of records, all or none. */
export const appendRecords = defineStep(
  'audit.append',
  { mode: 'durable', statements: 'many' },
  (sql: Sql, batch: Records): Promise<void> => insertRecords(sql, agedOf(batch)),
)

/** Writes a batch that an earlier attempt may have written although its result was lost. */
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
