import type { AuditRecord } from '@surehand/core/ports'
import { defineStep, type Sql } from '../step.ts'
import { type RecordBatch, unpackRecords } from './packed-records.ts'
import { insertMissingRecord, insertRecord, insertRecords } from './record-row.ts'
import { valuesSealer } from './record-seal.ts'

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
  (sql: Sql, { packed, sealKey }: RecordBatch): Promise<void> =>
    insertRecords(sql, unpackRecords(packed).map(valuesSealer(sealKey))),
)

/** Writes a batch that an earlier attempt may have written although its result was lost. */
export const appendMissing = defineStep(
  'audit.append-missing',
  { mode: 'durable', statements: 'many' },
  async (sql: Sql, { packed, sealKey }: RecordBatch): Promise<void> => {
    const seal = valuesSealer(sealKey)
    for (const row of unpackRecords(packed)) {
      const { text, values } = insertMissingRecord(seal(row))
      await sql.run(text, ...values)
    }
  },
)
