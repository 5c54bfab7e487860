import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { Tx } from '@surehand/core'
import type { Row } from '@surehand/core/internal'
import { isToolError, ToolError } from '@surehand/core/worker-entry'
import { givenValue } from '../../calls/call-row.ts'
import { type LocalKept, type LocalRequest, localEffect } from '../../local-effect.ts'
import { firstWord, isControl } from '../../statement-kind.ts'
import type { Sql } from '../../step.ts'
import { storageError, undoneError } from '../../storage-error.ts'
import type { Connection } from '../connection.ts'
import { isDriverError, serializeError } from '../serialized-error.ts'
import type { WriteRequest, WriteResult } from './batch.ts'
import { type CommitGate, isCancelled } from './commit-gate.ts'
import type { WriteRegistry } from './write-registry.ts'

/** The index of an entry in its batch, and the batch's gate. */
export type BatchSlot = { readonly gate: CommitGate; readonly index: number }

/**
 * Runs the transaction functions of local effects, and remembers which of them were started and
 * which have failed.
 */
export type TransactionRunner = {
  /**
   * Gives the function a handle to the transaction, which is valid until the work around it ends.
   */
  readonly withTransaction: <T>(
    request: LocalRequest,
    slot: BatchSlot,
    work: (apply: () => Promise<unknown>) => Promise<T>,
  ) => Promise<T>
  /** Stops waiting for the current function if its entry was cancelled. */
  readonly checkCancelled: () => void
  /** The indexes in the current batch whose functions have been started. */
  readonly started: Set<number>
  readonly startBatch: () => void
  /** The function threw. */
  readonly markFailed: (name: string) => void
  /**
   * Whether the function has thrown recently: then it is run with a savepoint at once, so that the
   * batch need not run twice.
   */
  readonly hasFailedRecently: (name: string) => boolean
}

// How many batches count as recent.
const RECENT_BATCHES = 64

/** Thrown out of a function whose entry was cancelled. */
export const CANCELLED: Error = new Error('given up')

export function createTransactionRunner(
  connection: Connection,
  registry: WriteRegistry,
): TransactionRunner {
  const started = new Set<number>()
  const refusedIn = new Map<string, number>()
  let batches = 0
  let watched: { readonly slot: BatchSlot; readonly leave: () => void } | undefined

  function unlessGivenUp<T>(slot: BatchSlot, work: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      watched = { slot, leave: () => reject(CANCELLED) }
      work.then(resolve, reject)
    })
  }

  return {
    async withTransaction(request, slot, work) {
      const { apply } = registry.transactions.get(request.name) ?? unknownTransaction(request.name)
      const handle = openTransactionHandle(connection)
      const applyAndCheck = async (): Promise<unknown> => {
        const result = await apply(handle.tx, request.args)
        handle.check()
        return result
      }
      try {
        return await unlessGivenUp(slot, work(applyAndCheck))
      } finally {
        handle.close()
      }
    },
    checkCancelled() {
      if (watched !== undefined && isCancelled(watched.slot.gate, watched.slot.index))
        watched.leave()
    },
    started: started,
    startBatch() {
      started.clear()
      batches++
    },
    markFailed: (name) => void refusedIn.set(name, batches),
    hasFailedRecently: (name) =>
      batches - (refusedIn.get(name) ?? Number.NEGATIVE_INFINITY) < RECENT_BATCHES,
  }
}

function unknownTransaction(name: string): never {
  throw new ToolError(
    'TOOL_CONFIGURATION_ERROR',
    `No transaction is called "${name}": export it from the pack's transactions module.`,
  )
}

/** The database access of one transaction function, valid until its transaction ends. */
type TransactionHandle = {
  readonly tx: Tx
  /**
   * Throws when the transaction has ended, and when a statement failed although the function
   * continued: PostgreSQL would not commit it either.
   */
  readonly check: () => void
  readonly close: () => void
}

function openTransactionHandle({ database, prepare }: Connection): TransactionHandle {
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

export type WriteRunner = {
  /** Runs the write in its slot. An error it throws must end the transaction. */
  readonly run: (write: WriteRequest, slot: BatchSlot, guard: Guard) => Promise<WriteResult>
}

/**
 * `unguarded`: without savepoints, which cost as much as a statement; if a write fails, the batch
 * is run again with them.
 */
export type Guard = 'unguarded' | 'savepoint'

type Parts = {
  readonly connection: Connection
  readonly registry: WriteRegistry
  readonly sql: Sql
  readonly transactions: TransactionRunner
}

/**
 * A write failed without a savepoint, so its statements cannot be separated from those of the other
 * writes.
 */
export const FAILED_WITHOUT_SAVEPOINT: Error = new Error('broke without a savepoint')

export function createWriteRunner({
  connection: { database },
  registry,
  sql,
  transactions,
}: Parts): WriteRunner {
  const inSavepoint = createSavepointRunner(database)
  const { withTransaction, started, markFailed, hasFailedRecently } = transactions

  async function runStep(name: string, args: unknown, guard: Guard): Promise<WriteResult> {
    const step = registry.steps.get(name)
    if (step === undefined) return toErrorResult(storageError(`the writer knows no step "${name}"`))
    try {
      return {
        kind: 'done',
        value: await (guard === 'unguarded'
          ? step.run(sql, args)
          : inSavepoint(() => step.run(sql, args))),
      }
    } catch (cause) {
      if (!database.isTransaction) throw cause
      if (guard === 'unguarded') throw FAILED_WITHOUT_SAVEPOINT
      return toErrorResult(undoneError(cause))
    }
  }

  async function applyLocal(request: LocalRequest, slot: BatchSlot): Promise<WriteResult> {
    return toResult(
      await withTransaction(request, slot, (apply) => localEffect(sql, request, apply)),
    )
  }

  /**
   * The claim was rolled back with the effect. Without this count, a call that always fails would
   * be retried for ever.
   */
  async function countTry({ claim }: LocalRequest): Promise<void> {
    const step = registry.steps.get('calls.countTry')
    if (step === undefined || !claim.resumes) return
    await step.run(sql, {
      tenant: givenValue(claim.given, 'tenant'),
      callId: givenValue(claim.given, 'call_id'),
    })
  }

  async function runLocal(
    request: LocalRequest,
    slot: BatchSlot,
    guard: Guard,
  ): Promise<WriteResult> {
    const { gate, index } = slot
    if (isCancelled(gate, index)) {
      if (started.has(index)) await countTry(request)
      return { kind: 'cancelled' }
    }
    started.add(index)
    const isUnguarded = guard === 'unguarded' && !hasFailedRecently(request.name)
    try {
      return await (isUnguarded
        ? applyLocal(request, slot)
        : inSavepoint(() => applyLocal(request, slot)))
    } catch (cause) {
      if (!database.isTransaction) throw cause
      if (cause !== CANCELLED) markFailed(request.name)
      if (isUnguarded) throw FAILED_WITHOUT_SAVEPOINT
      await countTry(request)
      return cause === CANCELLED ? { kind: 'cancelled' } : toErrorResult(toUndone(cause))
    }
  }

  return {
    run: (write, slot, guard) =>
      write.kind === 'local'
        ? runLocal(write.request, slot, guard)
        : runStep(write.name, write.args, guard),
  }
}

// As JSON text: it exists already, and text is cloned to the other thread faster than an object.
function toResult(kept: LocalKept): WriteResult {
  if (kept.kind !== 'done') return { kind: 'done', value: kept }
  return {
    kind: 'stored',
    fence: kept.fence.fence,
    json: kept.result === undefined ? undefined : kept.json,
  }
}

// An exception that is a bug of the function must not become a storage error, which is retried.
function toUndone(cause: unknown): unknown {
  return isToolError(cause) || isDriverError(cause) ? undoneError(cause) : cause
}

function toErrorResult(cause: unknown): WriteResult {
  return { kind: 'error', error: serializeError(cause) }
}

/**
 * Runs work so that all of its statements are kept or none, whatever the other writes of the
 * transaction do.
 */
type InSavepoint = <T>(work: () => Promise<T>) => Promise<T>

function createSavepointRunner(database: DatabaseSync): InSavepoint {
  const [open, release] = [database.prepare('SAVEPOINT write'), database.prepare('RELEASE write')]
  return async (work) => {
    open.run()
    try {
      const result = await work()
      release.run()
      return result
    } catch (thrown) {
      // SQLite may have ended the whole transaction by itself, for example because the disk is
      // full.
      if (database.isTransaction) database.exec('ROLLBACK TO write; RELEASE write')
      throw thrown
    }
  }
}
