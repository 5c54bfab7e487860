import type { AuditRecord } from '@surehand/core/ports'
import { defineStep, type Sql } from '../step.ts'
import { valueAt } from '../columns.ts'
import { type RecordBatch, splitByTenant, unpackRecords } from './packed-records.ts'
import { COLUMN, insertMissingRecord, insertRecord, insertRecords } from './record-row.ts'
import { valuesSealer } from './record-seal.ts'
import { segmentsByCall } from './segments/find-segments.ts'
import { rowsIn, type Segment } from './segments/segment.ts'

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
    const written = await findWritten(sql, packed)
    for (const row of unpackRecords(packed)) {
      if (written.has(row[COLUMN.id])) continue
      const { text, values } = insertMissingRecord(seal(row))
      await sql.run(text, ...values)
    }
  },
)

/** The ids of records that an earlier attempt has written in segments. */
async function findWritten(sql: Sql, packed: RecordBatch['packed']): Promise<ReadonlySet<unknown>> {
  const parts = packed.flatMap(splitByTenant)
  const segments: Segment[] = []
  for (const { tenant, columns } of parts) {
    const call = String(valueAt(columns[COLUMN.call_id] ?? null, 0))
    // A part is one segment, or none.
    segments.push(...(await segmentsByCall(sql, tenant, call)))
  }
  return new Set(segments.flatMap(rowsIn).map(({ id }) => id))
}
