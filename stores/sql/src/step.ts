import type { Row, SqlValue } from '@surehand/core/internal'
import type { Job } from '@surehand/core/ports'

/**
 * Statements on one connection, inside one transaction.
 * Texts are portable: `?` stands for a value, `{now}` for the database's clock in ms, `{lock}` for PostgreSQL's `for update`,
 * `{serial}` for a key that counts up by itself, `{take}` for the place where PostgreSQL may take a lock on the way.
 */
export type Sql = {
  readonly get: (text: string, ...values: readonly SqlValue[]) => Promise<Row | undefined>
  readonly all: (text: string, ...values: readonly SqlValue[]) => Promise<readonly Row[]>
  /** How many rows it changed. */
  readonly run: (text: string, ...values: readonly SqlValue[]) => Promise<number>
  /** Runs the second, an `insert … select` without conditions, only if the first changed a row: one statement where each is a round trip. */
  readonly runBoth: (first: Statement, second: Statement) => Promise<boolean>
  /** Holds everybody else who asks for the same name until the transaction ends. (SQLite has one writer: there it is nothing.) */
  readonly lock: (name: string) => Promise<void>
  /** A wake-up, in the same transaction. */
  readonly enqueue: (job: Job, delayMs: number) => Promise<void>
}

export type Statement = { readonly text: string; readonly values: readonly SqlValue[] }

/**
 * One atomic step of a store, by name: a closure can't cross into SQLite's writer thread, a name can. Arguments and answer are plain data.
 * `read`: changes nothing. `lazy`: lost with the machine's power it has not happened, which is as good. `durable`: on disk when it returns.
 */
export type Step<A, R> = {
  readonly name: string
  readonly mode: 'read' | 'lazy' | 'durable'
  /** A step of one statement needs no BEGIN and COMMIT around it. */
  readonly statements: 'one' | 'many'
  readonly run: (sql: Sql, args: A) => Promise<R>
}

export function defineStep<A, R>(
  name: string,
  form: Pick<Step<A, R>, 'mode' | 'statements'>,
  run: (sql: Sql, args: A) => Promise<R>,
): Step<A, R> {
  return { name, ...form, run }
}
