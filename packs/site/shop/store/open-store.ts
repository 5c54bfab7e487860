import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import { SCHEMA } from './schema.ts'

export type Row = Readonly<Record<string, unknown>>

/** The shop's database: one process, one connection, so that a transaction is one function. */
export type Store = {
  readonly all: (sql: string, ...values: SQLInputValue[]) => readonly Row[]
  readonly one: (sql: string, ...values: SQLInputValue[]) => Row | undefined
  /** Returns how many rows it changed. */
  readonly run: (sql: string, ...values: SQLInputValue[]) => number
  /** Runs in one transaction: all of it is stored, or none. Must not be nested. */
  readonly write: <T>(work: () => T) => T
  readonly close: () => void
}

/** Opens the database in a folder; `:memory:` stores nothing. */
export function openStore(folder: string): Store {
  if (folder !== ':memory:') mkdirSync(folder, { recursive: true, mode: 0o700 })
  const db = new DatabaseSync(folder === ':memory:' ? folder : join(folder, 'shop.sqlite'))
  // FULL: an order that was answered survives a power failure.
  db.exec('pragma journal_mode = wal; pragma synchronous = full; pragma foreign_keys = on')
  db.exec('pragma busy_timeout = 5000')
  db.exec(SCHEMA)
  const statements = new Map<string, StatementSync>()
  const prepare = (sql: string): StatementSync => {
    const statement = statements.get(sql) ?? db.prepare(sql)
    statements.set(sql, statement)
    return statement
  }
  return {
    all: (sql, ...values) => prepare(sql).all(...values),
    one: (sql, ...values) => prepare(sql).get(...values),
    run: (sql, ...values) => Number(prepare(sql).run(...values).changes),
    write(work) {
      db.exec('begin immediate')
      try {
        const result = work()
        db.exec('commit')
        return result
      } catch (thrown) {
        db.exec('rollback')
        throw thrown
      }
    },
    close: () => db.close(),
  }
}
