import type { Row, SqlValue } from '@surehand/core/internal'
import { type Column, rowAt } from '../../columns.ts'
import { commitmentsOf, type Erasable, SALT_BYTES, type SequencedRecord } from '../leaf.ts'
import { type RecordValues, rowOf } from '../record-row.ts'

/**
 * Records of one tenant that were written together, as one row. Their numbers and their positions
 * follow each other without gaps.
 */
export type Segment = {
  readonly first_number: number
  readonly first_position: number
  readonly count: number
  /** The first and the last of the ids of its calls, in their order as texts. */
  readonly first_call: string
  readonly last_call: string
  /** The last of these ids in this segment and all before it. */
  readonly reach: string
  /** The principals as a JSON list: a person who is erased is looked for in it. */
  readonly principals: string
  /** The records' times are their ages before this. */
  readonly dated_at: number
  /** What `packRecords` has written. */
  readonly records: string
  readonly salts: string
  readonly leaves: string
  readonly seal: string | null
}

const COLUMNS = [
  'first_number',
  'first_position',
  'count',
  'first_call',
  'last_call',
  'reach',
  'principals',
  'dated_at',
  'records',
  'salts',
  'leaves',
  'seal',
] as const satisfies readonly (keyof Segment)[]

export const SEGMENT_COLUMNS: string = COLUMNS.join(', ')

export function segmentValues(segment: Segment): readonly SqlValue[] {
  return COLUMNS.map((column) => segment[column])
}

/** Fewer records cost less as rows than the columns and the indexes of a segment. */
export const FEWEST = 8

/** More would be looked through for one record, or split for one person. */
export const MOST_IN_SEGMENT = 64

const LEAF_DIGITS = 64
const SALT_DIGITS = 2 * SALT_BYTES

/** The rows of its records, without their places. A segment that was tampered with has none. */
export function rowsIn(segment: Segment): readonly Row[] {
  const { columns, count } = parseRecords(segment)
  return Array.from({ length: count }, (_, index) =>
    rowOf(
      rowAt(columns, index) as RecordValues,
      segment.first_number + index,
      Number(segment.dated_at),
    ),
  )
}

/** Its records with their places. */
export function recordsIn(segment: Segment): readonly SequencedRecord[] {
  return rowsIn(segment).map((row, index) => {
    const salt = String(segment.salts).slice(index * SALT_DIGITS, (index + 1) * SALT_DIGITS)
    // erased: the columns of a record; where an intruder wrote them, the leaf is another one
    return {
      ...row,
      position: segment.first_position + index,
      salt,
      ...commitmentsOf(salt, row as unknown as Erasable),
      leaf: leafAt(segment, index),
      erased_at: null,
      erasure: null,
      seal: segment.seal,
      segment,
    } as unknown as SequencedRecord
  })
}

/** The leaves of its records. */
export function leavesIn(segment: Segment): readonly string[] {
  return Array.from({ length: segment.count }, (_, index) => leafAt(segment, index))
}

function leafAt({ leaves }: Segment, index: number): string {
  return String(leaves).slice(index * LEAF_DIGITS, (index + 1) * LEAF_DIGITS)
}

type Packed = { readonly count: number; readonly columns: readonly Column[] }

const NOTHING: Packed = { count: 0, columns: [] }

// A person with write access to the database can store any text: the verification reports the
// places that are empty then, and a list goes on without them.
function parseRecords({ records, count }: Segment): Packed {
  try {
    const packed = JSON.parse(records) as Packed
    const isWhole =
      packed.count === count && count <= MOST_IN_SEGMENT && Array.isArray(packed.columns)
    return isWhole ? packed : NOTHING
  } catch {
    return NOTHING
  }
}
