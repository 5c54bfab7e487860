import type { SqlValue } from '@surehand/core/internal'
import { type Column, rowAt, toColumns } from '../columns.ts'
import { defineStep, type Sql } from '../step.ts'
import { appendLeaves, openTree, type Place, storeTree } from './extend-tree.ts'
import { inChunks } from './in-chunks.ts'
import {
  insertRecords,
  RECORD_COLUMN_LIST,
  type RecordValues,
  rowOf,
  tenantIn,
} from './record-row.ts'

type PackedRecords = { readonly count: number; readonly columns: readonly Column[] }

/** Records as one text: it takes less than half the CPU time of as many objects to reach a thread. */
export function packRecords(rows: readonly RecordValues[]): string {
  return JSON.stringify({ count: rows.length, columns: toColumns(rows) } satisfies PackedRecords)
}

function unpackRecords(packed: string): readonly RecordValues[] {
  // erased: the text was written by `packRecords`
  const { count, columns } = JSON.parse(packed) as PackedRecords
  return Array.from({ length: count }, (_, index) => rowAt(columns, index) as RecordValues)
}

/**
 * Writes a batch of records with their places in the tree, all or none. For SQLite alone: its
 * transaction excludes all other writers, so no position is assigned twice. The sequencer
 * has only to sign the tree. Written without a place and placed later, a record costs two to three
 * times the CPU time: its row and its index entries are written twice.
 */
export const appendPlaced = defineStep(
  'audit.append-placed',
  { mode: 'durable', statements: 'many' },
  async (sql: Sql, packed: string): Promise<void> => {
    const groups = Map.groupBy(unpackRecords(packed), tenantIn)
    for (const [tenant, records] of groups) await appendTo(sql, tenant, records)
  },
)

const STATE = `select size, frontier, {now} as now, (select seq from sqlite_sequence where name = 'audit_records') as last
  from audit_trees where tenant = ?`

async function appendTo(sql: Sql, tenant: string, records: readonly RecordValues[]): Promise<void> {
  const state = await sql.get(STATE, tenant)
  // The sequencer plants the tree with the first records of a tenant.
  if (state === undefined) return insertRecords(sql, records)
  const tree = openTree({ tenant, size: Number(state.size), frontier: String(state.frontier) })
  const [now, first] = [Number(state.now), Number(state.last) + 1]
  const rows = records.map((values, index) => rowOf(values, first + index, now))
  const places = appendLeaves(tree, rows)
  // erased: there is a place for each row
  const placed = rows.map((row, index) => ({ row, place: places[index] as Place }))
  for (const chunk of inChunks(placed)) {
    const values: SqlValue[] = []
    for (const { row, place } of chunk) {
      for (const column of ROW_COLUMNS) values.push(row[column] ?? null)
      for (const column of PLACE_COLUMNS) values.push(place[column])
    }
    await sql.run(insertOf(chunk.length), ...values)
  }
  await storeTree(sql, tree, tenant, rows)
}

const ROW_COLUMNS = ['number', ...RECORD_COLUMN_LIST]
const PLACE_COLUMNS = [
  'position',
  'salt',
  'input_commitment',
  'output_commitment',
  'person_commitment',
  'leaf',
] as const
const COLUMNS = [...ROW_COLUMNS, ...PLACE_COLUMNS]
const PLACES = `(${COLUMNS.map(() => '?').join(', ')})`

function insertOf(rows: number): string {
  return `insert into audit_records (${COLUMNS.join(', ')}) values ${Array<string>(rows).fill(PLACES).join(', ')}`
}
