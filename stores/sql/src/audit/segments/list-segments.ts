import type { Row } from '@surehand/core/internal'
import type { AuditFilter } from '@surehand/core/ports'
import type { Sql } from '../../step.ts'
import { inChunks } from '../in-chunks.ts'
import { segmentsByCall, segmentsByNumber } from './find-segments.ts'
import { rowsIn, type Segment } from './segment.ts'

/** Records from one number up to another, which is left out. */
export type Window = { readonly from: number; readonly below: number }

/** Which records are listed; without a key and a cursor, for which others have been found. */
export type Listing = Omit<AuditFilter, 'key' | 'before'> & {
  readonly window?: Window
  readonly callIds?: readonly string[]
  /** Only records with lower numbers. */
  readonly below?: number
}

const AT_ONCE = 16

/** Matching records of segments, as rows: at least the newest ones up to the limit. */
export async function listSegmentRows(
  sql: Sql,
  listing: Listing,
  limit: number,
): Promise<readonly Row[]> {
  const { tenant, callId, callIds, requestIds, window, below = Number.MAX_SAFE_INTEGER } = listing
  // What a domain's requests have done is in rows: there is an index for it.
  if (requestIds !== undefined) return []
  const calls = callId === undefined ? callIds : [callId]
  if (calls !== undefined)
    return selectListed(sql, await segmentsOfCalls(sql, tenant, calls), listing)
  const found: Row[] = []
  for (let to = window?.below ?? below; found.length < limit; ) {
    const span = { from: window?.from ?? 0, to }
    const segments = await segmentsByNumber(sql, tenant, span, AT_ONCE)
    found.push(...(await selectListed(sql, segments, listing)))
    if (segments.length < AT_ONCE) break
    to = segments.at(-1)?.first_number ?? 0
  }
  return found
}

async function segmentsOfCalls(
  sql: Sql,
  tenant: string,
  calls: readonly string[],
): Promise<readonly Segment[]> {
  const found = new Map<number, Segment>()
  for (const call of calls)
    for (const segment of await segmentsByCall(sql, tenant, call))
      found.set(segment.first_number, segment)
  return [...found.values()]
}

async function selectListed(
  sql: Sql,
  segments: readonly Segment[],
  listing: Listing,
): Promise<readonly Row[]> {
  const rows = segments.flatMap(rowsIn).filter((row) => isListed(row, listing))
  return listing.text === undefined ? rows : withText(sql, rows, listing.text)
}

const EQUAL = [
  ['callId', 'call_id'],
  ['toolName', 'tool_name'],
  ['principal', 'principal'],
  ['actor', 'actor'],
  ['phase', 'phase'],
  ['outcome', 'outcome'],
] as const

function isListed(row: Row, listing: Listing): boolean {
  const { callIds, since = -Infinity, until = Infinity, window, below = Infinity } = listing
  const [number, createdAt] = [Number(row.number), Number(row.created_at)]
  return (
    EQUAL.every(([name, column]) => listing[name] === undefined || listing[name] === row[column]) &&
    createdAt >= since &&
    createdAt < until &&
    number < below &&
    (window === undefined || (number >= window.from && number < window.below)) &&
    (callIds === undefined || callIds.includes(String(row.call_id)))
  )
}

async function withText(sql: Sql, rows: readonly Row[], text: string): Promise<readonly Row[]> {
  const calls = new Set<unknown>()
  for (const chunk of inChunks(rows.map(({ call_id }) => String(call_id)))) {
    const ids = chunk.map(() => '?').join(', ')
    const select = `select call_id from call_traces where call_id in (${ids}) and ${INPUT_HAS_TEXT}`
    for (const { call_id } of await sql.all(select, ...chunk, toPattern(text))) calls.add(call_id)
  }
  return rows.filter(({ call_id }) => calls.has(call_id))
}

/** Whether the input of a trace has a text, given as a pattern. */
export const INPUT_HAS_TEXT = "lower(input) like lower(cast(? as text)) escape '!'"

/** A pattern for a text as it is written in the JSON of an input. */
export function toPattern(text: string): string {
  return `%${JSON.stringify(text).slice(1, -1).replace(/[!%_]/g, '!$&')}%`
}
