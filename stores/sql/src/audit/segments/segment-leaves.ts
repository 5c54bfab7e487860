import { randomBytes } from 'node:crypto'
import type { SqlValue } from '@surehand/core/internal'
import { type Column, isList, valueAt } from '../../columns.ts'
import { type Commitments, commitmentsOf, type Erasable, quote, SALT_BYTES } from '../leaf.ts'
import { type GrowingTree, leafHash } from '../merkle.ts'
import type { Packed } from '../packed-records.ts'
import { COLUMN } from '../record-row.ts'

/** What a leaf holds beside the columns of its record. */
export type LeafPlace = Commitments & {
  readonly number: number
  readonly position: number
  readonly created_at: number
}

type Part = string | ((index: number, place: LeafPlace) => string | number)

/**
 * Writes leaves of records by columns, with the same text as `leafText`. What all of them share is
 * written once for all: an object for each record and the search for characters to escape took as
 * long as the hashes.
 */
export function leafWriter(
  columns: readonly Column[],
): (index: number, place: LeafPlace) => string {
  const parts: Part[] = ['{']
  const write = (part: Part): void => {
    const last = parts.at(-1)
    if (typeof part === 'string' && typeof last === 'string') parts[parts.length - 1] = last + part
    else parts.push(part)
  }
  for (const [index, [name, toPart]] of FIELDS.entries()) {
    write(`${index === 0 ? '' : ','}"${name}":`)
    write(toPart(columns))
  }
  write('}')
  return (index, place) => {
    let text = ''
    for (const part of parts) text += typeof part === 'string' ? part : part(index, place)
    return text
  }
}

type Field = readonly [name: string, toPart: (columns: readonly Column[]) => Part]

// In the order of canonical JSON.
const FIELDS: readonly Field[] = [
  columnField('actor', quoteText),
  columnField('call_id', quoteText),
  columnField('code', quoteText),
  placeField('created_at'),
  columnField('definition_hash', quoteText),
  columnField('duration_ms', String),
  columnField('id', quoteText),
  commitmentField('input_commitment'),
  placeField('number'),
  columnField('outcome', quoteText),
  commitmentField('output_commitment'),
  commitmentField('person_commitment'),
  columnField('phase', quoteText),
  placeField('position'),
  columnField('request_id', quoteText),
  columnField('source', quoteText),
  columnField('success', (value) => String(value === 1)),
  columnField('surface', quoteText),
  columnField('tenant', quoteText),
  columnField('tool_name', quoteText),
  columnField('tool_version', quoteText),
]

function columnField(name: keyof typeof COLUMN, write: (value: SqlValue) => string): Field {
  return [
    name,
    (columns) => {
      const values = columns[COLUMN[name]] ?? null
      return isList(values) ? (index) => write(values[index] ?? null) : write(values)
    },
  ]
}

function placeField(name: 'created_at' | 'number' | 'position'): Field {
  return [name, () => (_, place) => place[name]]
}

function commitmentField(name: keyof Commitments): Field {
  return [name, () => (_, place) => `"${place[name]}"`]
}

function quoteText(value: SqlValue): string {
  return quote(String(value))
}

export type SegmentLeaves = { readonly leaves: string; readonly salts: string }

/** Appends a leaf for each record of a segment that begins here. */
export function appendSegment(
  tree: GrowingTree,
  { count, columns }: Packed,
  { firstNumber, datedAt }: { readonly firstNumber: number; readonly datedAt: number },
): SegmentLeaves {
  const salts = randomBytes(SALT_BYTES * count).toString('hex')
  const write = leafWriter(columns)
  const ages = columns[COLUMN.created_at] ?? 0
  const erasableAt = erasables(columns)
  let leaves = ''
  for (let index = 0; index < count; index++) {
    const salt = salts.slice(index * 2 * SALT_BYTES, (index + 1) * 2 * SALT_BYTES)
    const { input_commitment, output_commitment, person_commitment } = commitmentsOf(
      salt,
      erasableAt(index),
    )
    const leaf = leafHash(
      write(index, {
        input_commitment,
        output_commitment,
        person_commitment,
        number: firstNumber + index,
        position: tree.size(),
        created_at: datedAt - Number(valueAt(ages, index)),
      }),
    )
    tree.append(leaf)
    leaves += leaf
  }
  return { leaves, salts }
}

function erasables(columns: readonly Column[]): (index: number) => Erasable {
  const [principals, errors, inputs, outputs] = [
    columns[COLUMN.principal] ?? null,
    columns[COLUMN.error] ?? null,
    columns[COLUMN.input_hash] ?? null,
    columns[COLUMN.output_hash] ?? null,
  ]
  return (index) => ({
    principal: String(valueAt(principals, index)),
    error: String(valueAt(errors, index)),
    input_hash: String(valueAt(inputs, index)),
    output_hash: String(valueAt(outputs, index)),
  })
}
