import { defineStep, type Sql } from '../step.ts'
import { agedOf, type Records } from './append-records.ts'
import { appendLeaves, openTree, type Place, storeTree } from './extend-tree.ts'
import { inChunks } from './in-chunks.ts'
import { type AgedRecord, insertRecords, RECORD_COLUMN_LIST, rowOf } from './record-row.ts'

/**
 * Writes a batch of records with their places in the tree, all or none. For SQLite alone: its
 * transaction excludes all other writers, so no position is assigned twice. The sequencer
 * has only to sign the tree. Written without a place and placed later, a record costs two to three
 * times the CPU time: its row and its index entries are written twice.
 */
export const appendPlaced = defineStep(
  'audit.append-placed',
  { mode: 'durable', statements: 'many' },
  async (sql: Sql, batch: Records): Promise<void> => {
    const groups = Map.groupBy(agedOf(batch), ({ record }) => record.tenant)
    for (const [tenant, records] of groups) await appendTo(sql, tenant, records)
  },
)

const STATE = `select size, frontier, {now} as now, (select seq from sqlite_sequence where name = 'audit_records') as last
  from audit_trees where tenant = ?`

async function appendTo(sql: Sql, tenant: string, records: readonly AgedRecord[]): Promise<void> {
  const state = await sql.get(STATE, tenant)
  // The sequencer plants the tree with the first records of a tenant.
  if (state === undefined) return insertRecords(sql, records)
  const tree = openTree({ tenant, size: Number(state.size), frontier: String(state.frontier) })
  const [now, first] = [Number(state.now), Number(state.last) + 1]
  const rows = records.map(({ record, ageMs }, index) => rowOf(record, first + index, now - ageMs))
  const places = appendLeaves(tree, rows)
  const values = rows.map((row, index) => {
    // erased: there is a place for each row
    const place = places[index] as Place
    return [
      ...ROW_COLUMNS.map((column) => row[column] ?? null),
      ...PLACE_COLUMNS.map((column) => place[column]),
    ]
  })
  for (const chunk of inChunks(values)) await sql.run(insertOf(chunk.length), ...chunk.flat())
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
