import type { Row, SqlValue } from '@surehand/core/internal'
import type { Job } from '@surehand/core/ports'
import type { Dialect } from './portable.ts'

/**
 * Statements on one connection, inside one transaction. Texts are portable: `?` is a parameter,
 * `{now}` the database's clock in milliseconds, `{lock}` PostgreSQL's `for update`, `{serial}` an
 * auto-incrementing key, `{take}` the place where PostgreSQL may acquire an advisory lock.
 */
export type Sql = {
  readonly dialect: Dialect
  readonly get: (text: string, ...values: readonly SqlValue[]) => Promise<Row | undefined>
  readonly all: (text: string, ...values: readonly SqlValue[]) => Promise<readonly Row[]>
  /** Returns the number of changed rows. */
  readonly run: (text: string, ...values: readonly SqlValue[]) => Promise<number>
  /**
   * Runs the second, an unconditional `insert … select`, only if the first changed a row. On
   * PostgreSQL both are one round trip.
   */
  readonly runBoth: (first: Statement, second: Statement) => Promise<boolean>
  /**
   * Makes other transactions that lock the same name wait until this one ends. SQLite has a single
   * writer and needs no lock.
   */
  readonly lock: (name: string) => Promise<void>
  /** Enqueues a wake-up in the same transaction. */
  readonly enqueue: (job: Job, delayMs: number) => Promise<void>
}

export type Statement = { readonly text: string; readonly values: readonly SqlValue[] }

/**
 * One atomic step of a store, addressed by name, because a closure cannot be sent to SQLite's
 * writer thread. Arguments and result are plain data. `read`: changes nothing. `lazy`: may be lost
 * in a power failure without harm. `durable`: on disk when it returns.
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
