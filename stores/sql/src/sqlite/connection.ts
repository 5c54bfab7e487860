import { DatabaseSync, type StatementSync } from 'node:sqlite'
import type { SqliteOptions } from '../options.ts'
import { translator } from '../portable.ts'

/** One connection with the statements it has prepared. */
export type Connection = {
  readonly database: DatabaseSync
  /** Takes portable text. */
  readonly prepare: (text: string) => StatementSync
  readonly close: () => void
}

// texts are few and fixed; those that a pack makes out of data must not fill the memory
const MOST_STATEMENTS = 1_000

/** No busy timeout: SQLite's own way of waiting starved one of two writers. */
export function openConnection(
  file: string,
  time: SqliteOptions['time'],
  access: 'read' | 'write',
): Connection {
  const database = new DatabaseSync(file, { readOnly: access === 'read', timeout: 0 })
  // nothing here may look at the file: somebody who makes it at this moment would make it fail
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
