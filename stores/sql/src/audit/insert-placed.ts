import type { Row, SqlValue } from '@surehand/core/internal'
import type { Sql } from '../step.ts'
import type { Place } from './extend-tree.ts'
import { RECORD_COLUMN_LIST } from './record-row.ts'

/** A row with its place and its seal. */
export type PlacedRow = {
  readonly row: Row
  readonly place: Omit<Place, 'number'>
  readonly seal: string | null
}

/** Writes rows of records that have their places. */
export async function insertPlaced(sql: Sql, rows: readonly PlacedRow[]): Promise<void> {
  for (const part of inParts(rows)) await insertPart(sql, part)
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
