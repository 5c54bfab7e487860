import type { StatementSync } from 'node:sqlite'
import type { Tx } from '@surehand/core'
import type { Row } from '@surehand/core/internal'
import { ToolError } from '@surehand/core/worker-entry'
import { firstWord, isControl } from '../statement-kind.ts'
import type { Connection } from './connection.ts'

/** What one transaction function is given, for as long as its transaction lives. */
export type TransactionHand = {
  readonly tx: Tx
  /** Throws when its time is over, and what a statement of it broke on though the function went on: PostgreSQL would not commit it either. */
  readonly check: () => void
  readonly close: () => void
}

export function transactionHand({ database, prepare }: Connection): TransactionHand {
  const state: { isOpen: boolean; broken: { readonly on: unknown } | undefined } = {
    isOpen: true,
    broken: undefined,
  }

  function use<T>(text: string, work: (statement: StatementSync) => T): Promise<T> {
    // a function that outlived its time must not write into the next one's transaction
    if (!state.isOpen) return rejected(over())
    try {
      // with a statement that broke, SQLite may have ended the transaction by itself: the next would be committed alone
      if (state.broken !== undefined && !database.isTransaction) throw state.broken.on
      if (isControl(text)) throw refused(text)
      return Promise.resolve(work(prepare(text)))
    } catch (thrown) {
      state.broken ??= { on: thrown }
      return rejected(thrown)
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
      // one that comes back late must not end a row in somebody else's transaction
      if (!state.isOpen) throw over()
      if (state.broken !== undefined) throw state.broken.on
    },
    close() {
      state.isOpen = false
    },
  }
}

// of a statement that the function did not wait for the check tells: unheard, it would end the process
function rejected(thrown: unknown): Promise<never> {
  const told = Promise.reject(thrown)
  told.catch(() => undefined)
  return told
}

function over(): ToolError {
  return new ToolError('TOOL_CANCELLED', 'The transaction has ended.')
}

function refused(text: string): ToolError {
  return new ToolError(
    'TOOL_CONFIGURATION_ERROR',
    `A transaction function reads and writes; it does not ${firstWord(text).toUpperCase()}.`,
  )
}
