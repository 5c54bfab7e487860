import type { SqlValue } from '@surehand/core'
import type { Connection } from './connection.ts'

/** Where rows go; `unless`: what is left out and not an error. */
export type Into = { readonly table: string; readonly columns: readonly string[]; readonly unless: '' | 'on conflict do nothing' }

// texts differ by how many rows there are and which columns they share
const MOST_TEXTS = 500

/** Inserts rows as one statement, and tells how many there were room for. What all of them have in common is bound once. */
export function rowInserter({ prepare }: Connection, into: Into): (rows: readonly (readonly SqlValue[])[]) => number {
  const texts = new Map<string, string>()

  function textOf(own: readonly number[], count: number): string {
    const name = `${count}:${own.join()}`
    const known = texts.get(name)
    if (known !== undefined) return known
    if (texts.size >= MOST_TEXTS) texts.clear()
    const text = insertText(into, own, count)
    texts.set(name, text)
    return text
  }

  return (rows) => {
    const [first] = rows
    if (first === undefined) return 0
    const own = ownColumns(rows, first)
    const values: SqlValue[] = []
    for (const row of rows) for (const column of own) values.push(row[column] ?? null)
    for (let column = 0; column < first.length; column++) if (!own.includes(column)) values.push(first[column] ?? null)
    return Number(prepare(textOf(own, rows.length)).run(...values).changes)
  }
}

// the first column names the row, and is always its own
function ownColumns(rows: readonly (readonly SqlValue[])[], first: readonly SqlValue[]): readonly number[] {
  const own: number[] = []
  for (let column = 0; column < first.length; column++)
    if (column === 0 || rows.some((row) => row[column] !== first[column])) own.push(column)
  return own
}

function insertText({ table, columns, unless }: Into, own: readonly number[], count: number): string {
  const expressions = columns.map((_, column) => (own.includes(column) ? `own.column${own.indexOf(column) + 1}` : `shared.value${column}`))
  const row = `(${own.map(() => '?').join(', ')})`
  const shared = columns.flatMap((_, column) => (own.includes(column) ? [] : [`? as value${column}`]))
  const from = `(values ${Array.from({ length: count }, () => row).join(', ')}) own${shared.length === 0 ? '' : `, (select ${shared.join(', ')}) shared`}`
  // "where true": without it SQLite takes ON for part of the join
  return `insert into ${table} (${columns.join(', ')}) select ${expressions.join(', ')} from ${from} where true ${unless}`
}
