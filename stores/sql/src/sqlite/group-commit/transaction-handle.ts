import type { StatementSync } from 'node:sqlite'
import type { Tx } from '@surehand/core'
import type { Row } from '@surehand/core/internal'
import { ToolError } from '@surehand/core/worker-entry'
import { firstWord, isControl } from '../../statement-kind.ts'
import type { Connection } from '../connection.ts'

/** The database access of one transaction function, valid until its transaction ends. */
export type TransactionHandle = {
  readonly tx: Tx
  /**
   * Throws when the transaction has ended, and when a statement failed although the function
   * continued: PostgreSQL would not commit it either.
   */
  readonly check: () => void
  readonly close: () => void
}

export function openTransactionHandle({ database, prepare }: Connection): TransactionHandle {
  const state: { isOpen: boolean; broken: { readonly on: unknown } | undefined } = {
    isOpen: true,
    broken: undefined,
  }

  function use<T>(text: string, work: (statement: StatementSync) => T): Promise<T> {
    // A function that outlived its transaction must not write into the next one.
    if (!state.isOpen) return rejectQuietly(transactionEnded())
    try {
      // After a failed statement SQLite may have ended the transaction by itself; the next
      // statement would be committed on its own.
      if (state.broken !== undefined && !database.isTransaction) throw state.broken.on
      if (isControl(text)) throw controlStatementError(text)
      return Promise.resolve(work(prepare(text)))
    } catch (thrown) {
      state.broken ??= { on: thrown }
      return rejectQuietly(thrown)
    }
  }

  return {
    tx: {
      get: (text, ...values) =>
        use(text, (statement) => statement.get(...values) as Row | undefined),
      all: (text, ...values) => use(text, (statement) => statement.all(...values) as Row[]),
      run: (text, ...values) =>
        use(text, (statement) => ({ changes: Number(statement.run(...values).changes) })),
    },
    check() {
      // A function that returns late must not finish a row in another call's transaction.
      if (!state.isOpen) throw transactionEnded()
      if (state.broken !== undefined) throw state.broken.on
    },
    close() {
      state.isOpen = false
    },
  }
}

// `check` reports a statement that the function did not await. Without a handler its rejection
// would end the process.
function rejectQuietly(thrown: unknown): Promise<never> {
  const rejection = Promise.reject(thrown)
  rejection.catch(() => undefined)
  return rejection
}

function transactionEnded(): ToolError {
  return new ToolError('TOOL_CANCELLED', 'The transaction has ended.')
}

function controlStatementError(text: string): ToolError {
  return new ToolError(
    'TOOL_CONFIGURATION_ERROR',
    `A transaction function reads and writes; it does not ${firstWord(text).toUpperCase()}.`,
  )
}
