import type { DatabaseSync, SQLInputValue } from 'node:sqlite'
import { commitmentsOf, leafText, type SequencedRecord } from '../leaf.ts'
import { growingTree, leafHash } from '../merkle.ts'

/** What a person with every right in the database and our code, but without a key, can do. */
export type StoredRecord = Omit<SequencedRecord, 'segment'> &
  Readonly<Record<string, SQLInputValue>>

const TABLES = ['audit_records', 'audit_trees', 'audit_heads'] as const
export type Backup = ReadonlyMap<string, readonly Readonly<Record<string, SQLInputValue>>[]>

export function takeBackup(raw: DatabaseSync): Backup {
  return new Map(
    TABLES.map((table) => [
      table,
      raw.prepare(`select * from ${table}`).all() as Record<string, SQLInputValue>[],
    ]),
  )
}

export function restoreBackup(raw: DatabaseSync, backup: Backup): void {
  for (const [table, rows] of backup) {
    raw.exec(`delete from ${table}`)
    for (const row of rows) insert(raw, table, row)
  }
}

export function insert(
  raw: DatabaseSync,
  table: string,
  row: Readonly<Record<string, SQLInputValue>>,
): void {
  const columns = Object.keys(row)
  raw
    .prepare(
      `insert into ${table} (${columns.join(', ')}) values (${columns.map(() => '?').join(', ')})`,
    )
    .run(...Object.values(row))
}

/** A tenant's records by position, from one on. */
export function recordsOf(raw: DatabaseSync, tenant: string, from = 0): StoredRecord[] {
  return raw
    .prepare('select * from audit_records where tenant = ? and position >= ? order by position')
    .all(tenant, from) as unknown as StoredRecord[]
}

export function setColumn(
  raw: DatabaseSync,
  number: number,
  column: string,
  value: SQLInputValue,
): void {
  raw.prepare(`update audit_records set ${column} = ? where number = ?`).run(value, number)
}

export function freeNumber(raw: DatabaseSync): number {
  return Number(raw.prepare('select max(number) as most from audit_records').get()?.most) + 1
}

/** Makes a record look as if it had always been like this. */
export function recompute(raw: DatabaseSync, number: number): void {
  const record = raw
    .prepare('select * from audit_records where number = ?')
    .get(number) as unknown as StoredRecord
  const committed =
    record.erasure === null ? { ...record, ...commitmentsOf(record.salt, record) } : record
  for (const column of ['input_commitment', 'output_commitment', 'person_commitment'] as const)
    setColumn(raw, number, column, committed[column])
  setColumn(raw, number, 'leaf', leafHash(leafText(committed, committed)))
}

/**
 * Recomputes every hash of a tenant from a position on, and the tree; returns its root and size.
 */
export function rebuild(
  raw: DatabaseSync,
  tenant: string,
  from: number,
): { readonly size: number; readonly root: string } {
  for (const { number } of recordsOf(raw, tenant, from)) recompute(raw, number)
  const tree = growingTree()
  for (const { leaf } of recordsOf(raw, tenant)) tree.append(leaf)
  const size = tree.size()
  raw
    .prepare(
      'update audit_trees set size = ?, frontier = ?, head_size = ?, anchored_size = ? where tenant = ?',
    )
    .run(size, tree.frontier().join(''), size, size, tenant)
  return { size, root: tree.root() }
}

/** Drops the indexes that would forbid the change. */
export function dropGuards(raw: DatabaseSync): void {
  raw.exec('drop index audit_position')
}

/** Moves records by so many positions. */
export function shift(raw: DatabaseSync, records: readonly StoredRecord[], by: number): void {
  for (const { number, position } of records) setColumn(raw, number, 'position', position + by)
}
