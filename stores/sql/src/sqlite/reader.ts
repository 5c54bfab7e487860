import type { Row, SqlValue } from '@surehand/core/internal'
import { isRead, notARead } from '../statement-kind.ts'
import type { Step } from '../step.ts'
import { storageError } from '../storage-error.ts'
import type { Connection } from './connection.ts'
import { createSql } from './create-sql.ts'
import { retryWhileBusy } from './retry-while-busy.ts'

/** Reads on the main thread without delay, so that every acknowledged write is visible. */
export type Reader = {
  readonly step: <A, R>(step: Step<A, R>, args: A) => Promise<R>
  readonly query: (text: string, values: readonly SqlValue[]) => Promise<readonly Row[]>
  readonly close: () => void
}

export function createReader(connection: Connection): Reader {
  const { database, prepare } = connection
  const sql = createSql(connection, () => undefined)
  let readers = 0

  /**
   * Gives several statements one snapshot. Concurrent readers share it, because no write is
   * acknowledged in between.
   */
  async function inSnapshot<T>(work: () => Promise<T>): Promise<T> {
    if (readers === 0) database.exec('BEGIN')
    readers++
    try {
      return await work()
    } finally {
      readers--
      if (readers === 0 && database.isTransaction) database.exec('COMMIT')
    }
  }

  async function withStorageErrors<T>(work: () => T | Promise<T>): Promise<T> {
    try {
      return await retryWhileBusy(work)
    } catch (thrown) {
      throw storageError(thrown)
    }
  }

  return {
    step: (step, args) =>
      withStorageErrors(() =>
        step.statements === 'one' ? step.run(sql, args) : inSnapshot(() => step.run(sql, args)),
      ),
    query(text, values) {
      return withStorageErrors(() => {
        // The connection cannot write, but it could begin a transaction or change its settings.
        if (!isRead(text)) throw notARead()
        return prepare(text).all(...values) as Row[]
      })
    },
    close: () => connection.close(),
  }
}
