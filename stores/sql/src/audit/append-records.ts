import type { AuditRecord } from '@surehand/core'
import { defineStep, type Sql } from '../step.ts'
import { insertMissingRecord, insertRecord, insertRecords } from './record-row.ts'

type Records = { readonly records: readonly AuditRecord[] }

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
  (sql: Sql, { records }: Records): Promise<void> => insertRecords(sql, records),
)

/** A batch that may have been written by an attempt that failed on its way back. */
export const appendMissing = defineStep(
  'audit.append-missing',
  { mode: 'durable', statements: 'many' },
  async (sql: Sql, { records }: Records): Promise<void> => {
    for (const record of records) {
      const { text, values } = insertMissingRecord(record)
      await sql.run(text, ...values)
    }
  },
)
