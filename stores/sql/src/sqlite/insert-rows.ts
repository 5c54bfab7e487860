import type { SqlValue } from '@surehand/core/internal'
import type { Connection } from './connection.ts'

/** Where rows go. */
export type Into = {
  readonly table: string
  readonly columns: readonly string[]
  /** Those that differ from row to row; the first column is one of them, and never null. The others are mostly the same. */
  readonly own: readonly string[]
  /** What is left out and not an error. */
  readonly unless: '' | 'on conflict do nothing'
}

/** Inserts rows as one statement, and tells how many there were room for. What all of them have in common is bound once. */
export function rowInserter(
  { prepare }: Connection,
  into: Into,
): (rows: readonly (readonly SqlValue[])[]) => number {
  const all = into.columns.map((_, place) => place)
  const own = all.filter((place) => into.own.includes(into.columns[place] ?? ''))
  const shared = all.filter((place) => !own.includes(place))
  const sharing = textsOf(into, own, shared)
  const apart = textsOf(into, all, [])

  return (rows) => {
    const [first] = rows
    if (first === undefined) return 0
    const isSharing = shared.every((place) => rows.every((row) => row[place] === first[place]))
    const places = isSharing ? own : all
    const room = roomFor(rows.length)
    const values: SqlValue[] = []
    for (const row of rows) for (const place of places) values.push(row[place] ?? null)
    for (let missing = (room - rows.length) * places.length; missing > 0; missing--)
      values.push(null)
    if (isSharing) for (const place of shared) values.push(first[place] ?? null)
    return Number(prepare((isSharing ? sharing : apart)(room)).run(...values).changes)
  }
}

/** How many rows a statement for so many has room for: a statement for every number would fill the memory. */
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
  const expressions = columns.map((_, place) =>
    shared.includes(place) ? `shared.value${place}` : `own.column${own.indexOf(place) + 1}`,
  )
  const row = `(${own.map(() => '?').join(', ')})`
  const rows = `(values ${Array.from({ length: room }, () => row).join(', ')}) own`
  const from =
    shared.length === 0
      ? rows
      : `${rows}, (select ${shared.map((place) => `? as value${place}`).join(', ')}) shared`
  // a row of nulls is only there to fill the statement
  return `insert into ${table} (${columns.join(', ')}) select ${expressions.join(', ')} from ${from} where own.column1 is not null ${unless}`
}
