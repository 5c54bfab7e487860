import { DatabaseSync, type StatementSync } from 'node:sqlite'
import type { SqliteOptions } from '../options.ts'
import { translator } from '../portable.ts'

/** One connection with its prepared statements. */
export type Connection = {
  readonly database: DatabaseSync
  /** Takes a portable statement. */
  readonly prepare: (text: string) => StatementSync
  readonly close: () => void
}

// Statement texts are few and fixed; those a pack builds from data must not fill the memory.
const MOST_STATEMENTS = 1_000

/** No busy timeout: with SQLite's own way of waiting, one of two writers starved. */
export function openConnection(
  file: string,
  time: SqliteOptions['time'],
  access: 'read' | 'write',
): Connection {
  const database = new DatabaseSync(file, { readOnly: access === 'read', timeout: 0 })
  // No statement here may read the file: it would fail while another process is creating it.
  if (access === 'write') database.exec('PRAGMA temp_store = MEMORY')
  const translate = translator('sqlite', time ?? 'database')
  const statements = new Map<string, StatementSync>()
  return {
    database,
    prepare(text) {
      const known = statements.get(text)
      if (known !== undefined) return known
      if (statements.size >= MOST_STATEMENTS) statements.clear()
      const statement = database.prepare(translate(text))
      statements.set(text, statement)
      return statement
    },
    close: () => database.close(),
  }
}
