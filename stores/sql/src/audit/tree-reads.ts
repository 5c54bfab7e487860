import type { Database } from '../database.ts'
import { defineStep, type Sql } from '../step.ts'
import { growingTree, type Span } from './merkle.ts'
import { SEQUENCED_COLUMNS, type SequencedRecord } from './pages.ts'
import { HEAD_COLUMNS, headOfRow, type SignedHead } from './signed-head.ts'

const SELECT_RECORD = `select ${SEQUENCED_COLUMNS} from audit_records where tenant = ? and id = ? and position is not null order by position limit 1`

/** A record with a position, by its id. */
export const readSequenced = defineStep(
  'audit.sequenced',
  { mode: 'read', statements: 'one' },
  async (
    sql: Sql,
    { tenant, id }: { readonly tenant: string; readonly id: string },
  ): Promise<SequencedRecord | undefined> =>
    // erased: the row was written from a record, and its place by the sequencer; or by an intruder,
    // whom the verifier finds
    (await sql.get(SELECT_RECORD, tenant, id)) as unknown as SequencedRecord | undefined,
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
const SELECT_LEAVES =
  'select leaf from audit_records where tenant = ? and position >= ? and position < ? order by position limit ?'

/** The leaf hashes of a range, or of its beginning. */
export const readLeaves = defineStep(
  'audit.leaves',
  { mode: 'read', statements: 'one' },
  async (
    sql: Sql,
    { tenant, from, to }: Span & { readonly tenant: string },
  ): Promise<readonly string[]> =>
    (await sql.all(SELECT_LEAVES, tenant, from, to, AT_ONCE)).map(({ leaf }) => String(leaf)),
)

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
