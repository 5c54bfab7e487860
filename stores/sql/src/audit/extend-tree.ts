import { randomBytes } from 'node:crypto'
import type { Row } from '@surehand/core/internal'
import type { AuditRecord } from '@surehand/core/ports'
import type { Sql } from '../step.ts'
import { countRecords } from './figures.ts'
import { inChunks } from './in-chunks.ts'
import { commitmentsOf, leafText, SALT_BYTES } from './leaf.ts'
import { type GrowingTree, growingTree, leafHash } from './merkle.ts'
import { RECORD_COLUMNS } from './record-row.ts'

/**
 * A tree as stored in its row. The caller has locked that row: the lock, not the lease, prevents a
 * position from being assigned twice.
 */
export type StoredTree = {
  readonly tenant: string
  readonly size: number
  readonly frontier: string
}

const HEX_DIGITS = /.{64}/g

export function openTree({ size, frontier }: StoredTree): GrowingTree {
  return growingTree(size, frontier.match(HEX_DIGITS) ?? [])
}

// Selected by the missing position, never by the highest number reached: a record that is committed
// late has a low number and is still found.
const SELECT = `select number, ${RECORD_COLUMNS} from audit_records where tenant = ? and position is null order by number limit ?`
const UPDATE_TREE = 'update audit_trees set size = ?, frontier = ? where tenant = ?'

/**
 * Assigns positions to the oldest records without one, inside the caller's transaction; returns how
 * many.
 */
export async function extendTree(
  sql: Sql,
  tree: GrowingTree,
  tenant: string,
  limit: number,
): Promise<number> {
  const rows = await sql.all(SELECT, tenant, limit)
  if (rows.length === 0) return 0
  for (const chunk of inChunks(appendLeaves(tree, rows)))
    await sql.run(updateOf(chunk.length), ...chunk.flatMap(valuesOf))
  await storeTree(sql, tree, tenant, rows)
  return rows.length
}

/** Appends a leaf for each record, and returns what is stored with it. */
export function appendLeaves(tree: GrowingTree, rows: readonly Row[]): readonly Place[] {
  const salts = randomBytes(SALT_BYTES * rows.length).toString('hex')
  return rows.map((row, index) => {
    const position = tree.size()
    const salt = salts.slice(index * 2 * SALT_BYTES, (index + 1) * 2 * SALT_BYTES)
    const place = placeOf(row, position, salt)
    tree.append(place.leaf)
    return place
  })
}

/** Stores the tree with these records in it, and counts them. */
export async function storeTree(
  sql: Sql,
  tree: GrowingTree,
  tenant: string,
  records: readonly object[],
): Promise<void> {
  await countRecords(sql, tenant, records)
  await sql.run(UPDATE_TREE, tree.size(), tree.frontier().join(''), tenant)
}

/** What the sequencer adds to a record. */
export type Place = ReturnType<typeof placeOf>

function placeOf(row: Row, position: number, salt: string) {
  // erased: the row was written from a record
  const record = row as unknown as Omit<AuditRecord, 'success'> & {
    readonly number: number
    readonly success: number
  }
  const placed = { position, ...commitmentsOf(salt, record) }
  // The row is not copied, because that would cost more than its hashes.
  return { ...placed, number: record.number, salt, leaf: leafHash(leafText(record, placed)) }
}

function valuesOf(place: Place): (string | number)[] {
  const { number, position, salt, input_commitment, output_commitment, person_commitment, leaf } =
    place
  return [number, position, salt, input_commitment, output_commitment, person_commitment, leaf]
}

// The first row defines the column types for PostgreSQL.
const TYPED =
  '(cast(? as bigint), cast(? as bigint), cast(? as text), cast(? as text), cast(? as text), cast(? as text), cast(? as text))'
const UNTYPED = '(?, ?, ?, ?, ?, ?, ?)'

function updateOf(rows: number): string {
  return `update audit_records set position = places.column2, salt = places.column3, input_commitment = places.column4,
    output_commitment = places.column5, person_commitment = places.column6, leaf = places.column7
    from (values ${[TYPED, ...Array<string>(rows - 1).fill(UNTYPED)].join(', ')}) as places where audit_records.number = places.column1`
}
