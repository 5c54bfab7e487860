import type { Row } from '@surehand/core/internal'
import { defineStep, type Sql } from '../step.ts'
import type { SequencedRecord } from './leaf.ts'
import { RECORD_COLUMNS } from './record-row.ts'
import { segmentsByPosition } from './segments/find-segments.ts'
import { FEWEST, recordsIn } from './segments/segment.ts'
import { HEAD_COLUMNS, headOfRow, type SignedHead } from './signed-head.ts'

export type Cursor = { readonly position: number; readonly number: number }
export type Page = {
  readonly records: readonly SequencedRecord[]
  readonly heads: readonly SignedHead[]
}

// A page is read in one turn of the event loop, in which nothing else is served.
const PAGE_RECORDS = 250
// As many are a page of records, the first of them begun by the page before.
const PAGE_SEGMENTS = 1 + Math.ceil(PAGE_RECORDS / FEWEST)
// Below every position and number, including those that only an intruder would write.
export const FROM_THE_BEGINNING: Cursor = {
  position: Number.MIN_SAFE_INTEGER,
  number: Number.MIN_SAFE_INTEGER,
}

export const SEQUENCED_COLUMNS: string = `number, position, salt, input_commitment, output_commitment, person_commitment, leaf, erased_at, erasure, seal, ${RECORD_COLUMNS}`

const SELECT = `select ${SEQUENCED_COLUMNS} from audit_records where tenant = ? and position >= ? and (position > ? or number > ?)
  order by position, number limit ?`
const SELECT_HEADS = `select ${HEAD_COLUMNS} from audit_heads where tenant = ? and size > ? and size <= ? order by size`

/** The next records by position, with the heads that were signed over them. */
export const readPage = defineStep(
  'audit.page',
  { mode: 'read', statements: 'many' },
  async (
    sql: Sql,
    { tenant, after }: { readonly tenant: string; readonly after: Cursor },
  ): Promise<Page> => {
    const rows = await sql.all(
      SELECT,
      tenant,
      after.position,
      after.position,
      after.number,
      PAGE_RECORDS,
    )
    const others = await readSegments(sql, tenant, after)
    const records = [...rows.map(sequencedRecord), ...others].sort(byPlace).slice(0, PAGE_RECORDS)
    const [first, last] = [records[0], records.at(-1)]
    if (first === undefined || last === undefined) return { records: [], heads: [] }
    // A head follows the last record it covers.
    const heads = await sql.all(
      SELECT_HEADS,
      tenant,
      Number(first.position),
      Number(last.position) + 1,
    )
    return { records, heads: heads.map(headOfRow) }
  },
)

// erased: the row was written by our code, or by an intruder, whom the verifier detects
function sequencedRecord(row: Row): SequencedRecord {
  return row as unknown as SequencedRecord
}

/** Records that are stored in segments: a page of them, or all that are left. */
async function readSegments(
  sql: Sql,
  tenant: string,
  { position, number }: Cursor,
): Promise<readonly SequencedRecord[]> {
  const span = { from: Math.max(position, 0), to: Number.MAX_SAFE_INTEGER }
  const records: SequencedRecord[] = []
  for (const segment of await segmentsByPosition(sql, tenant, span, PAGE_SEGMENTS)) {
    const isBehind = (record: SequencedRecord): boolean =>
      record.position > position || (record.position === position && record.number > number)
    records.push(...recordsIn(segment).filter(isBehind))
    if (records.length >= PAGE_RECORDS) break
  }
  return records
}

function byPlace(one: SequencedRecord, other: SequencedRecord): number {
  return one.position - other.position || one.number - other.number
}

export type TreeSummary = {
  readonly size: number
  readonly erasures: number
  readonly head: SignedHead | undefined
  readonly keyIds: readonly string[]
  /** Records without a place in the tree. */
  readonly unsequenced: number
  /** 1 where the ledger contains calls whose outcome was recorded together with them, else 0. */
  readonly endedCalls: number
}

/** The header of an export. */
export const readSummary = defineStep(
  'audit.summary',
  { mode: 'read', statements: 'many' },
  async (sql: Sql, { tenant }: { readonly tenant: string }): Promise<TreeSummary> => {
    const tree = await sql.get('select size, erasures from audit_trees where tenant = ?', tenant)
    const head = await sql.get(
      `select ${HEAD_COLUMNS} from audit_heads where tenant = ? order by size desc limit 1`,
      tenant,
    )
    const keys = await sql.all(
      'select distinct key_id from audit_heads where tenant = ? order by key_id',
      tenant,
    )
    const waiting = await sql.get(
      'select count(*) as number from audit_records where tenant = ? and position is null',
      tenant,
    )
    const ended = await sql.get(
      "select 1 as found from calls where tenant = ? and state in ('succeeded', 'failed') limit 1",
      tenant,
    )
    return {
      size: Number(tree?.size ?? 0),
      erasures: Number(tree?.erasures ?? 0),
      head: head && headOfRow(head),
      keyIds: keys.map(({ key_id }) => String(key_id)),
      unsequenced: Number(waiting?.number ?? 0),
      endedCalls: Number(ended?.found ?? 0),
    }
  },
)

/** Where the next page starts. */
export function cursorBehind(record: Pick<SequencedRecord, 'position' | 'number'>): Cursor {
  return { position: record.position, number: record.number }
}
