import type { AuditRecord } from '@surehand/core/ports'
import { valueAt } from '../columns.ts'
import { defineStep, type Sql } from '../step.ts'
import { appendLeaves, openTree, type Place, storeTree } from './extend-tree.ts'
import { insertPlaced } from './insert-placed.ts'
import type { GrowingTree } from './merkle.ts'
import {
  agedValues,
  type RecordBatch,
  splitByTenant,
  type TenantRecords,
} from './packed-records.ts'
import { COLUMN, insertRecords, rowOf } from './record-row.ts'
import { leafSealer, segmentSealer, valuesSealer } from './record-seal.ts'
import { insertSegment, isSegment, readEnds } from './segments/write-segments.ts'

/**
 * Writes a batch of records with their places in the tree, all or none. For SQLite alone: its
 * transaction excludes all other writers, so no position is assigned twice. The sequencer
 * has only to sign the tree. Written without a place and placed later, a record costs two to three
 * times the CPU time: its row and its index entries are written twice.
 */
export const appendPlaced = defineStep(
  'audit.append-placed',
  { mode: 'durable', statements: 'many' },
  async (sql: Sql, { packed, ...how }: RecordBatch): Promise<void> => {
    const parts = Map.groupBy(packed.flatMap(splitByTenant), ({ tenant }) => tenant)
    for (const [tenant, ofTenant] of parts) await appendTo(sql, tenant, ofTenant, how)
  },
)

const STATE = `select size, frontier, {now} as now, (select seq from sqlite_sequence where name = 'audit_records') as last
  from audit_trees where tenant = ?`
// Numbers of records in segments are used up like those of rows.
const USE_NUMBERS = "update sqlite_sequence set seq = max(seq, ?) where name = 'audit_records'"

async function appendTo(
  sql: Sql,
  tenant: string,
  parts: readonly TenantRecords[],
  { sealKey, storedAs }: Omit<RecordBatch, 'packed'>,
): Promise<void> {
  const state = await sql.get(STATE, tenant)
  // The sequencer plants the tree with the first records of a tenant.
  if (state === undefined)
    return insertRecords(sql, parts.flatMap(agedValues).map(valuesSealer(sealKey)))
  const tree = openTree({ tenant, size: Number(state.size), frontier: String(state.frontier) })
  let ends = await readEnds(sql, tenant)
  let last = Number(state.last)
  const counted: Counted[] = []
  for (const part of parts) {
    const start = {
      tree,
      firstNumber: last + 1,
      datedAt: Number(state.now) - Math.round(part.waitedMs),
    }
    if (storedAs === 'segments' && isSegment(part, ends)) {
      const seal = sealKey === undefined ? () => null : segmentSealer(sealKey)
      const sealOf = (leaves: string): string | null => seal(leaves, part.count)
      ends = await insertSegment(sql, part, { ...start, ends, sealOf })
    } else await insertRows(sql, part, start, sealKey)
    counted.push(...countedIn(part, start.datedAt))
    last += part.count
  }
  await sql.run(USE_NUMBERS, last)
  await storeTree(sql, tree, tenant, counted)
}

type Start = {
  readonly tree: GrowingTree
  readonly firstNumber: number
  readonly datedAt: number
}

async function insertRows(
  sql: Sql,
  part: TenantRecords,
  { tree, firstNumber, datedAt }: Start,
  sealKey: Uint8Array | undefined,
): Promise<void> {
  const rows = agedValues({ ...part, waitedMs: 0 }).map((values, index) =>
    rowOf(values, firstNumber + index, datedAt),
  )
  const places = appendLeaves(tree, rows)
  const sealOf = sealKey === undefined ? () => null : leafSealer(sealKey)
  // erased: there is a place for each row
  const placed = rows.map((row, index) => {
    const place = places[index] as Place
    return { row, place, seal: sealOf(place.leaf) }
  })
  await insertPlaced(sql, placed)
}

type Counted = Pick<
  AuditRecord,
  'phase' | 'tool_name' | 'tool_version' | 'outcome' | 'code' | 'duration_ms' | 'created_at'
>

/** What the figures of the health page are counted from. */
function countedIn({ count, columns }: TenantRecords, datedAt: number): readonly Counted[] {
  const at = (column: keyof typeof COLUMN, index: number) =>
    valueAt(columns[COLUMN[column]] ?? null, index)
  return Array.from(
    { length: count },
    (_, index) =>
      ({
        phase: at('phase', index),
        tool_name: at('tool_name', index),
        tool_version: at('tool_version', index),
        outcome: at('outcome', index),
        code: at('code', index),
        duration_ms: at('duration_ms', index),
        created_at: datedAt - Number(at('created_at', index)),
        // erased: the values were packed from records
      }) as Counted,
  )
}
