import type { SqlValue } from '@surehand/core/internal'
import type { Sql } from '../../step.ts'
import { MOST_IN_SEGMENT, SEGMENT_COLUMNS, type Segment } from './segment.ts'

/** From the first up to the second, which is left out. */
export type Span = { readonly from: number; readonly to: number }

/** The segments with numbers in the span, the newest first. */
export function segmentsByNumber(
  sql: Sql,
  tenant: string,
  { from, to }: Span,
  most: number,
): Promise<readonly Segment[]> {
  return select(
    sql,
    'first_number > ? and first_number + count > ? and first_number < ? order by first_number desc limit ?',
    [tenant, from - MOST_IN_SEGMENT, from, to, most],
  )
}

/** A number below which records are older. */
export type Edge = { readonly number: number; readonly createdAt: number }

/** Where the segment begins that is so many segments below a number, if there is one. */
export async function findSegmentBelow(
  sql: Sql,
  tenant: string,
  below: number,
  count: number,
): Promise<readonly Edge[]> {
  if (sql.dialect === 'postgres') return []
  const text = `select first_number, dated_at from audit_segments where tenant = ? and first_number < ?
    order by first_number desc limit 1 offset ?`
  const rows = await sql.all(text, tenant, below, count - 1)
  return rows.map((row) => ({
    number: Number(row.first_number),
    createdAt: Number(row.dated_at),
  }))
}

/** The segments with positions in the span, in their order. */
export function segmentsByPosition(
  sql: Sql,
  tenant: string,
  { from, to }: Span,
  most: number,
): Promise<readonly Segment[]> {
  return select(
    sql,
    'first_position > ? and first_position + count > ? and first_position < ? order by first_position limit ?',
    [tenant, from - MOST_IN_SEGMENT, from, to, most],
  )
}

// No call is in one of the segments of its tenant that were written so long after the first one that
// reaches its id: write-segments.ts sees to it.
export const NEAR = 64

// Ids that sort by time are in one of a few segments, whose ends are read in the index alone.
const BY_CALL = `first_number in (
  select first_number from (select first_number, first_call, last_call from audit_segments
    where tenant = ? and reach >= ? order by reach, first_number limit ${NEAR}) near
  where first_call <= ? and last_call >= ?) order by first_number`

/** The segments that may hold records of a call. */
export function segmentsByCall(
  sql: Sql,
  tenant: string,
  callId: string,
): Promise<readonly Segment[]> {
  return select(sql, BY_CALL, [tenant, tenant, callId, callId, callId])
}

/** The segments that may hold records of a person. */
export function segmentsByPrincipal(
  sql: Sql,
  tenant: string,
  principal: string,
): Promise<readonly Segment[]> {
  return select(sql, 'instr(principals, ?) > 0', [tenant, JSON.stringify(principal)])
}

/** The segments in whose text a record with this id stands. */
export function segmentsByRecord(
  sql: Sql,
  tenant: string,
  id: string,
): Promise<readonly Segment[]> {
  return select(sql, 'instr(records, ?) > 0', [tenant, JSON.stringify(id)])
}

async function select(
  sql: Sql,
  condition: string,
  values: readonly SqlValue[],
): Promise<readonly Segment[]> {
  // On PostgreSQL there are none, and its round trips cost more than an empty answer is worth.
  if (sql.dialect === 'postgres') return []
  const text = `select ${SEGMENT_COLUMNS} from audit_segments where tenant = ? and ${condition}`
  // erased: the row was written by write-segments.ts, or by an intruder, whom the verification finds
  return (await sql.all(text, ...values)) as unknown as readonly Segment[]
}
