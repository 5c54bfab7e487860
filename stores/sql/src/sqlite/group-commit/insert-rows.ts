import type { SqlValue } from '@surehand/core/internal'
import type { Connection } from '../connection.ts'

/** The table and columns to insert into. */
export type Into = {
  readonly table: string
  readonly columns: readonly string[]
  /**
   * The columns that differ from row to row. The first column is one of them and never null; all
   * others usually have one value for all rows.
   */
  readonly own: readonly string[]
  /** Which rows are skipped without an error. */
  readonly unless: '' | 'on conflict do nothing'
}

/**
 * Inserts rows with one statement, binding the values they share once, and returns how many were
 * inserted.
 */
export function rowInserter(
  { prepare }: Connection,
  into: Into,
): (rows: readonly (readonly SqlValue[])[]) => number {
  const all = into.columns.map((_, index) => index)
  const own = all.filter((index) => into.own.includes(into.columns[index] ?? ''))
  const shared = all.filter((index) => !own.includes(index))
  const sharing = textsOf(into, own, shared)
  const apart = textsOf(into, all, [])

  return (rows) => {
    const [first] = rows
    if (first === undefined) return 0
    const isSharing = shared.every((index) => rows.every((row) => row[index] === first[index]))
    const indexes = isSharing ? own : all
    const room = roomFor(rows.length)
    const values: SqlValue[] = []
    for (const row of rows) for (const index of indexes) values.push(row[index] ?? null)
    for (let missing = (room - rows.length) * indexes.length; missing > 0; missing--)
      values.push(null)
    if (isSharing) for (const index of shared) values.push(first[index] ?? null)
    return Number(prepare((isSharing ? sharing : apart)(room)).run(...values).changes)
  }
}

/**
 * The number of rows that the statement for so many rows can hold: a statement for every number
 * would fill the cache.
 */
export function roomFor(count: number): number {
  if (count <= 8) return 2 ** Math.ceil(Math.log2(count))
  return count <= 64 ? Math.ceil(count / 8) * 8 : Math.ceil(count / 32) * 32
}

function textsOf(
  into: Into,
  own: readonly number[],
  shared: readonly number[],
): (room: number) => string {
  const texts = new Map<number, string>()
  return (room) => {
    const known = texts.get(room)
    if (known !== undefined) return known
    const text = insertText(into, { own, shared, room })
    texts.set(room, text)
    return text
  }
}

type Shape = {
  readonly own: readonly number[]
  readonly shared: readonly number[]
  readonly room: number
}

function insertText({ table, columns, unless }: Into, { own, shared, room }: Shape): string {
  const expressions = columns.map((_, index) =>
    shared.includes(index) ? `shared.value${index}` : `own.column${own.indexOf(index) + 1}`,
  )
  const row = `(${own.map(() => '?').join(', ')})`
  const rows = `(values ${Array.from({ length: room }, () => row).join(', ')}) own`
  const from =
    shared.length === 0
      ? rows
      : `${rows}, (select ${shared.map((index) => `? as value${index}`).join(', ')}) shared`
  // A row of nulls only fills up the statement.
  return `insert into ${table} (${columns.join(', ')}) select ${expressions.join(', ')} from ${from} where own.column1 is not null ${unless}`
}
