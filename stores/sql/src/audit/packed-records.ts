import type { AuditEntry } from '@surehand/core/ports'
import { type Column, rowAt, toColumns } from '../columns.ts'
import {
  COLUMN,
  olderValues,
  COLUMN_READERS,
  type RecordValues,
  tenantIn,
  toStorable,
} from './record-row.ts'

/**
 * Some records as one text, with the time that has passed since they were packed. It takes less than
 * half the CPU time of as many objects to reach a thread, and leaves nothing behind for the garbage
 * collector, which would copy each object of each record that waits.
 */
export type PackedRecords = { readonly text: string; readonly waitedMs: number }

/** What a step needs to write them. */
export type RecordBatch = {
  readonly packed: readonly PackedRecords[]
  /** Without it, the records get no seal. */
  readonly sealKey: Uint8Array | undefined
  /** Whether those of a tenant may be stored as one row, on SQLite. */
  readonly storedAs: 'segments' | 'rows'
}

export type Packed = { readonly count: number; readonly columns: readonly Column[] }

export function packRecords(rows: readonly RecordValues[]): string {
  return JSON.stringify({ count: rows.length, columns: toColumns(rows) } satisfies Packed)
}

/** An entry, and the time since which it waits, by this process's monotonic clock. */
export type Waiting = { readonly entry: AuditEntry; readonly sinceMs: number }

/**
 * Packs entries as they would be packed after `toRecord`, with their hashes computed. Column by
 * column: a value that all of them share is read once, and no object is made for an entry.
 */
export function packEntries(waiting: readonly Waiting[], nowMs: number): string {
  const columns: Column[] = COLUMN_READERS.map((read) => toColumn(waiting, read))
  columns[COLUMN.created_at] = waiting.map(({ sinceMs }) => Math.round(nowMs - sinceMs))
  // The seal is made where the records get their places.
  columns.push(null)
  return JSON.stringify({ count: waiting.length, columns } satisfies Packed)
}

function toColumn(
  waiting: readonly Waiting[],
  read: (entry: AuditEntry) => string | number | boolean,
): Column {
  const values = waiting.map(({ entry }) => read(entry))
  const [first = ''] = values
  return values.every((value) => value === first) ? toStorable(first) : values.map(toStorable)
}

export function unpackRecords(packed: readonly PackedRecords[]): readonly RecordValues[] {
  return packed.flatMap((one) => agedValues({ ...one, ...parse(one.text) }))
}

/** Packed records of one tenant. */
export type TenantRecords = PackedRecords & Packed & { readonly tenant: string }

/** Most are of one tenant, and keep their text. */
export function splitByTenant({ text, waitedMs }: PackedRecords): readonly TenantRecords[] {
  const packed = parse(text)
  const tenant = packed.columns[COLUMN.tenant]
  if (typeof tenant === 'string') return [{ tenant, text, waitedMs, ...packed }]
  return [...Map.groupBy(valuesIn(packed), tenantIn)].map(([one, values]) => {
    const theirs = packRecords(values)
    return { tenant: one, text: theirs, waitedMs, ...parse(theirs) }
  })
}

/** The values of each record, as old as they are by now. */
export function agedValues({
  waitedMs,
  ...packed
}: Packed & Pick<PackedRecords, 'waitedMs'>): readonly RecordValues[] {
  return valuesIn(packed).map((values) => olderValues(values, waitedMs))
}

function parse(text: string): Packed {
  // erased: the text was written by `packRecords`
  return JSON.parse(text) as Packed
}

function valuesIn({ count, columns }: Packed): readonly RecordValues[] {
  return Array.from({ length: count }, (_, index) => rowAt(columns, index) as RecordValues)
}
