import type { SqlValue } from '@surehand/core/internal'
import { type Column, isList, valueAt } from '../../columns.ts'
import type { Sql } from '../../step.ts'
import type { GrowingTree } from '../merkle.ts'
import type { Packed, TenantRecords } from '../packed-records.ts'
import { COLUMN } from '../record-row.ts'
import { NEAR } from './find-segments.ts'
import { FEWEST, MOST_IN_SEGMENT, SEGMENT_COLUMNS, type Segment, segmentValues } from './segment.ts'
import { appendSegment } from './segment-leaves.ts'

/** Where the segments of a tenant end. */
export type Ends = {
  /** The last id of a call in any of them. */
  readonly reach: string
  /** The same for those that are not among the newest. */
  readonly floor: string
  /** How many more may be written before the ends are read again. */
  readonly room: number
}

const HALF = NEAR / 2

const ENDS = `select (select reach from audit_segments where tenant = ? order by first_number desc limit 1) as reach,
  (select reach from audit_segments where tenant = ? order by first_number desc limit 1 offset ${HALF - 1}) as floor`

export async function readEnds(sql: Sql, tenant: string): Promise<Ends> {
  const row = await sql.get(ENDS, tenant, tenant)
  return { reach: String(row?.reach ?? ''), floor: String(row?.floor ?? ''), room: HALF }
}

/**
 * Whether records may be stored as a segment. Only what a read leaves behind may: a person's own
 * changes and delegations are erased by their text, and the requests of a domain have an index.
 */
export function isSegment({ count, columns }: Packed, { floor, room }: Ends): boolean {
  const [phase, outcome, calls, requests] = [
    columns[COLUMN.phase],
    columns[COLUMN.outcome],
    columns[COLUMN.call_id] ?? null,
    columns[COLUMN.request_id] ?? null,
  ]
  return (
    room > 0 &&
    count >= FEWEST &&
    count <= MOST_IN_SEGMENT &&
    phase === 'outcome' &&
    !valuesOf(outcome ?? null, count).includes('delegated') &&
    valuesOf(calls, count).every(
      // An older call would not be looked for here.
      (call, index) => call === valueAt(requests, index) && String(call) > floor,
    )
  )
}

function valuesOf(column: Column, count: number): readonly SqlValue[] {
  return isList(column) ? column : Array<SqlValue>(count).fill(column)
}

const INSERT = `insert into audit_segments (tenant, ${SEGMENT_COLUMNS})
  values (?, ${SEGMENT_COLUMNS.replace(/\w+/g, '?')})`

export type SegmentStart = {
  readonly tree: GrowingTree
  readonly firstNumber: number
  readonly datedAt: number
  readonly ends: Ends
  readonly sealOf: (leaves: string) => string | null
}

/** Stores records with their places as one row, and returns where the segments end then. */
export async function insertSegment(
  sql: Sql,
  { tenant, text, count, columns }: TenantRecords,
  { tree, firstNumber, datedAt, ends, sealOf }: SegmentStart,
): Promise<Ends> {
  const calls = valuesOf(columns[COLUMN.call_id] ?? null, count)
    .map(String)
    .sort()
  const last = calls.at(-1) ?? ''
  const firstPosition = tree.size()
  const { leaves, salts } = appendSegment(tree, { count, columns }, { firstNumber, datedAt })
  const segment: Segment = {
    first_number: firstNumber,
    first_position: firstPosition,
    count,
    first_call: calls[0] ?? '',
    last_call: last,
    reach: [last, ends.reach].sort()[1] ?? last,
    principals: principalsIn(columns[COLUMN.principal] ?? null),
    dated_at: datedAt,
    records: text,
    salts,
    leaves,
    seal: sealOf(leaves),
  }
  await sql.run(INSERT, tenant, ...segmentValues(segment))
  return { ...ends, reach: segment.reach, room: ends.room - 1 }
}

function principalsIn(column: Column): string {
  return JSON.stringify(isList(column) ? [...new Set(column)] : [column])
}
