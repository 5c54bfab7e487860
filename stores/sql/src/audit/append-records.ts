import type { AuditRecord } from '@surehand/core/ports'
import { defineStep, type Sql } from '../step.ts'
import {
  insertMissingRecord,
  insertRecord,
  insertRecords,
  type RecordValues,
} from './record-row.ts'

/** Writes one record durably. */
export const appendRecord = defineStep(
  'audit.append-one',
  { mode: 'durable', statements: 'one' },
  async (sql: Sql, record: AuditRecord): Promise<void> => {
    const { text, values } = insertRecord(record)
    await sql.run(text, ...values)
  },
)

/** Writes a batch of records, each with the time that it has waited, all or none. */
export const appendRecords = defineStep(
  'audit.append',
  { mode: 'durable', statements: 'many' },
  (sql: Sql, rows: readonly RecordValues[]): Promise<void> => insertRecords(sql, rows),
)

/** Writes a batch that an earlier attempt may have written although its result was lost. */
export const appendMissing = defineStep(
  'audit.append-missing',
  { mode: 'durable', statements: 'many' },
  async (sql: Sql, rows: readonly RecordValues[]): Promise<void> => {
    for (const row of rows) {
      const { text, values } = insertMissingRecord(row)
      await sql.run(text, ...values)
    }
  },
)
