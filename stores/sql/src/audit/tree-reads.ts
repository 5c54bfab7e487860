import type { Database } from '../database.ts'
import { defineStep, type Sql } from '../step.ts'
import type { SequencedRecord } from './leaf.ts'
import { growingTree, type Span } from './merkle.ts'
import { SEQUENCED_COLUMNS } from './pages.ts'
import { segmentsByPosition, segmentsByRecord } from './segments/find-segments.ts'
import { leavesIn, recordsIn, type Segment } from './segments/segment.ts'
import { HEAD_COLUMNS, headOfRow, type SignedHead } from './signed-head.ts'

const SELECT_RECORD = `select ${SEQUENCED_COLUMNS} from audit_records where tenant = ? and id = ? and position is not null order by position limit 1`

/** A record with a position, by its id. */
export const readSequenced = defineStep(
  'audit.sequenced',
  { mode: 'read', statements: 'many' },
  async (
    sql: Sql,
    { tenant, id }: { readonly tenant: string; readonly id: string },
  ): Promise<SequencedRecord | undefined> => {
    const row = await sql.get(SELECT_RECORD, tenant, id)
    // erased: the row was written from a record, and its place by the sequencer; or by an intruder,
    // whom the verifier finds
    if (row !== undefined) return row as unknown as SequencedRecord
    const segments = await segmentsByRecord(sql, tenant, id)
    return segments.flatMap(recordsIn).find((record) => record.id === id)
  },
)

const SELECT_HEAD = `select ${HEAD_COLUMNS} from audit_heads where tenant = ? and size >= ? order by size limit 1`

/** The smallest head over at least so many records. */
export const readHead = defineStep(
  'audit.head',
  { mode: 'read', statements: 'one' },
  async (
    sql: Sql,
    { tenant, size }: { readonly tenant: string; readonly size: number },
  ): Promise<SignedHead | undefined> => {
    const row = await sql.get(SELECT_HEAD, tenant, size)
    return row && headOfRow(row)
  },
)

const AT_ONCE = 5_000
const MOST_SEGMENTS = 100
const SELECT_LEAVES =
  'select position, leaf from audit_records where tenant = ? and position >= ? and position < ? order by position limit ?'

/** The leaf hashes of a range, or of its beginning. */
export const readLeaves = defineStep(
  'audit.leaves',
  { mode: 'read', statements: 'many' },
  async (
    sql: Sql,
    { tenant, from, to }: Span & { readonly tenant: string },
  ): Promise<readonly string[]> => {
    const segments = await segmentsByPosition(sql, tenant, { from, to }, MOST_SEGMENTS)
    // Behind the last segment that was read there may be another one.
    const until = segments.length < MOST_SEGMENTS ? to : endOf(segments.at(-1))
    const rows = await sql.all(SELECT_LEAVES, tenant, from, until, AT_ONCE)
    const single = rows.map(({ position, leaf }) => ({ position: Number(position), leaf }))
    return [...single, ...segments.flatMap(placedLeaves)]
      .filter(({ position }) => position >= from && position < until)
      .sort((one, other) => one.position - other.position)
      .slice(0, AT_ONCE)
      .map(({ leaf }) => String(leaf))
  },
)

function endOf(segment: Segment | undefined): number {
  return segment === undefined ? 0 : segment.first_position + segment.count
}

function placedLeaves(segment: Segment) {
  return leavesIn(segment).map((leaf, index) => ({
    position: segment.first_position + index,
    leaf,
  }))
}

/** The roots over ranges of a tenant's leaves, with one page of them in memory at a time. */
export async function rootsOver(
  database: Pick<Database, 'step'>,
  tenant: string,
  spans: readonly Span[],
): Promise<readonly string[]> {
  const roots: string[] = []
  for (const { from, to } of spans) {
    const tree = growingTree()
    while (tree.size() < to - from) {
      const leaves = await database.step(readLeaves, { tenant, from: from + tree.size(), to })
      // A proof with a gap proves nothing, and its verification will fail.
      if (leaves.length === 0) break
      for (const leaf of leaves) tree.append(leaf)
    }
    roots.push(tree.root())
  }
  return roots
}
