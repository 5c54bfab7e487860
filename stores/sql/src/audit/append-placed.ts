import type { Row, SqlValue } from '@surehand/core/internal'
import { defineStep, type Sql } from '../step.ts'
import { appendLeaves, openTree, type Place, storeTree } from './extend-tree.ts'
import { type RecordBatch, unpackRecords } from './packed-records.ts'
import {
  insertRecords,
  RECORD_COLUMN_LIST,
  type RecordValues,
  rowOf,
  tenantIn,
} from './record-row.ts'
import { leafSealer, valuesSealer } from './record-seal.ts'

/**
 * Writes a batch of records with their places in the tree, all or none. For SQLite alone: its
 * transaction excludes all other writers, so no position is assigned twice. The sequencer
 * has only to sign the tree. Written without a place and placed later, a record costs two to three
 * times the CPU time: its row and its index entries are written twice.
 */
export const appendPlaced = defineStep(
  'audit.append-placed',
  { mode: 'durable', statements: 'many' },
  async (sql: Sql, { packed, sealKey }: RecordBatch): Promise<void> => {
    const groups = Map.groupBy(unpackRecords(packed), tenantIn)
    for (const [tenant, records] of groups) await appendTo(sql, tenant, { records, sealKey })
  },
)

type TenantBatch = Pick<RecordBatch, 'sealKey'> & { readonly records: readonly RecordValues[] }

const STATE = `select size, frontier, {now} as now, (select seq from sqlite_sequence where name = 'audit_records') as last
  from audit_trees where tenant = ?`

async function appendTo(
  sql: Sql,
  tenant: string,
  { records, sealKey }: TenantBatch,
): Promise<void> {
  const state = await sql.get(STATE, tenant)
  // The sequencer plants the tree with the first records of a tenant.
  if (state === undefined) return insertRecords(sql, records.map(valuesSealer(sealKey)))
  const tree = openTree({ tenant, size: Number(state.size), frontier: String(state.frontier) })
  const [now, first] = [Number(state.now), Number(state.last) + 1]
  const rows = records.map((values, index) => rowOf(values, first + index, now))
  const places = appendLeaves(tree, rows)
  const sealOf = sealKey === undefined ? () => null : leafSealer(sealKey)
  // erased: there is a place for each row
  const placed = rows.map((row, index) => toPlaced(row, places[index] as Place, sealOf))
  for (const part of inParts(placed)) await insertPart(sql, part)
  await storeTree(sql, tree, tenant, rows)
}

/** A row with its place and its seal. */
type PlacedRow = {
  readonly row: Row
  readonly place: Place
  readonly seal: string | null
}

function toPlaced(row: Row, place: Place, sealOf: (leaf: string) => string | null): PlacedRow {
  return { row, place, seal: sealOf(place.leaf) }
}

// A statement for every number of rows would fill the cache.
const SIZES = [32, 8, 1] as const

function* inParts(placed: readonly PlacedRow[]): Generator<readonly PlacedRow[]> {
  let from = 0
  for (const size of SIZES)
    for (; placed.length - from >= size; from += size) yield placed.slice(from, from + size)
}

// The columns that differ from record to record. The others usually have one value for all records
// of a batch and are bound once, which saves a fifth of the statement.
const OWN = [
  'number',
  'id',
  'call_id',
  'request_id',
  'input_hash',
  'output_hash',
  'duration_ms',
  'created_at',
] as const
const PLACE = [
  'position',
  'salt',
  'input_commitment',
  'output_commitment',
  'person_commitment',
  'leaf',
] as const
const SHARED = RECORD_COLUMN_LIST.filter(
  (column) => column !== 'seal' && !(OWN as readonly string[]).includes(column),
)
const COLUMNS = [...OWN, ...PLACE, 'seal', ...SHARED]

async function insertPart(sql: Sql, part: readonly PlacedRow[]): Promise<void> {
  const [first] = part
  const isShared = SHARED.every((column) =>
    part.every(({ row }) => row[column] === first?.row[column]),
  )
  const values: SqlValue[] = []
  for (const { row, place, seal } of part) {
    for (const column of OWN) values.push(row[column] ?? null)
    for (const column of PLACE) values.push(place[column])
    values.push(seal)
    if (!isShared) for (const column of SHARED) values.push(row[column] ?? null)
  }
  if (isShared) for (const column of SHARED) values.push(first?.row[column] ?? null)
  await sql.run(isShared ? sharingText(part.length) : apartText(part.length), ...values)
}

const INSERT = `insert into audit_records (${COLUMNS.join(', ')})`
const OWN_COUNT = COLUMNS.length - SHARED.length

// Without numbers: SQLite looks a numbered parameter up in a list of them all each time it is bound.
const sharingText = textBySize((size) => {
  const own = COLUMNS.slice(0, OWN_COUNT).map((_, index) => `own.column${index + 1}`)
  const shared = SHARED.map((column) => `shared.${column}`)
  const values = SHARED.map((column) => `? as ${column}`)
  return `${INSERT} select ${[...own, ...shared].join(', ')} from (values ${rowsOf(size, OWN_COUNT)}) own, (select ${values.join(', ')}) shared`
})
const apartText = textBySize((size) => `${INSERT} values ${rowsOf(size, COLUMNS.length)}`)

function rowsOf(rows: number, columns: number): string {
  const row = `(${Array<string>(columns).fill('?').join(', ')})`
  return Array<string>(rows).fill(row).join(', ')
}

function textBySize(write: (size: number) => string): (size: number) => string {
  const texts = new Map<number, string>()
  return (size) => {
    const text = texts.get(size) ?? write(size)
    texts.set(size, text)
    return text
  }
}
