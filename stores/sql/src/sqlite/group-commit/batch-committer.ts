import type { DatabaseSync } from 'node:sqlite'
import { storageError, undoneError } from '../../storage-error.ts'
import { type Connection, openConnection } from '../connection.ts'
import { createSql } from '../create-sql.ts'
import { FileGuard, generationCounter, replacedError } from '../file-guard.ts'
import { isDriverError, serializeError } from '../serialized-error.ts'
import type { WriteLock } from '../write-lock.ts'
import type { Batch, BatchResult, WriteResult, WriterData } from './batch.ts'
import { createBulkRunner, RUN_ONE_BY_ONE } from './bulk-first-calls.ts'
import { type CommitGate, closeGate, setProgress, setWaitingForLock } from './commit-gate.ts'
import {
  createTransactionRunner,
  createWriteRunner,
  FAILED_WITHOUT_SAVEPOINT,
  type Guard,
  type TransactionRunner,
} from './transaction-runner.ts'
import { loadWriteRegistry, type WriteRegistry } from './write-registry.ts'

/** Commits batches on a connection of its own, in the thread that opened it. */
export type BatchCommitter = {
  /** Never rejects: a failure is a result too. */
  readonly commit: (batch: Batch) => Promise<BatchResult>
  /** Stops waiting for the current write if it was cancelled. */
  readonly checkCancelled: () => void
  readonly close: () => void
}

type Opened = {
  readonly connection: Connection
  readonly batches: BatchRunner
  readonly guard: FileGuard
}

/** Resolves when every step and transaction has been loaded. */
export async function openBatchCommitter(
  data: WriterData,
  createLock: (database: DatabaseSync) => WriteLock,
): Promise<BatchCommitter> {
  const registry = await loadWriteRegistry(data)
  let opened: Opened | undefined
  let hasLostFile = false
  let last: Promise<unknown> = Promise.resolve()

  // Opened with the first batch: the tables are created while the modules are being loaded.
  function open(): Opened {
    const connection = openConnection(data.file, data.time, 'write')
    return {
      connection,
      guard: new FileGuard(data.file, 'with log'),
      batches: createBatchRunner(connection, registry, {
        gates: data.gates,
        groupCommit: data.groupCommit,
        lock: createLock(connection.database),
      }),
    }
  }

  async function run(batch: Batch): Promise<BatchResult> {
    try {
      opened ??= open()
      if (hasLostFile) throw replacedError('none')
      const result = await opened.batches.run(batch)
      // Before anything is acknowledged: it may have been written into a file that is gone.
      hasLostFile = opened.guard.isReplaced()
      return hasLostFile ? toFailedResult(replacedError()) : result
    } catch (thrown) {
      return toFailedResult(opened?.batches.isInDoubt(thrown) ? thrown : undoneError(thrown))
    }
  }

  return {
    // One after another: the next batch may arrive while a transaction function of this one awaits
    // something.
    commit(batch) {
      const answer = last.then(() => run(batch))
      last = answer
      return answer
    },
    checkCancelled: () => opened?.batches.checkCancelled(),
    close: () => opened?.connection.close(),
  }
}

export function toFailedResult(thrown: unknown): BatchResult {
  return { kind: 'failed', error: serializeError(storageError(thrown)) }
}

/** Commits batches, one at a time. */
type BatchRunner = {
  /** When it throws, nothing of the batch is written, or the commit itself failed. */
  readonly run: (batch: Batch) => Promise<BatchResult>
  /** Whether the batch may be written although `run` threw this. */
  readonly isInDoubt: (thrown: unknown) => boolean
  readonly checkCancelled: TransactionRunner['checkCancelled']
}

/** A batch that is committed, or that has to be run again in another mode. */
type Attempt =
  | { readonly kind: 'committed'; readonly results: readonly WriteResult[] }
  | { readonly kind: 'again'; readonly mode: RunMode }

/** `bulk`: the first calls of the batch take the fast path. */
type RunMode = Guard | 'bulk'

/** The commit gates shared with the main thread, and the write lock shared with other processes. */
export type Coordination = {
  readonly gates: readonly CommitGate[]
  readonly lock: WriteLock
  readonly groupCommit: 'on' | 'off'
}

function createBatchRunner(
  connection: Connection,
  registry: WriteRegistry,
  { gates, lock, groupCommit }: Coordination,
): BatchRunner {
  const { database } = connection
  const commit = database.prepare('COMMIT')
  const countGeneration = generationCounter(database)
  const state = { hasEnqueued: false, synchronous: '', isCommitting: false }
  const sql = createSql(connection, () => {
    state.hasEnqueued = true
  })
  const transactions = createTransactionRunner(connection, registry)
  const writes = createWriteRunner({ connection, registry, sql, transactions })
  const bulk = createBulkRunner(connection, transactions)

  function gateFor(batch: Batch): CommitGate {
    const gate = gates[batch.gate]
    if (gate === undefined) throw new TypeError(`There is no gate ${batch.gate}.`)
    return gate
  }

  // The setting takes effect only between transactions.
  async function setSynchronous(synchronous: Batch['synchronous']): Promise<void> {
    if (state.synchronous === synchronous) return
    await lock.runWhenFree(() => database.exec(`PRAGMA synchronous = ${synchronous}`))
    state.synchronous = synchronous
  }

  async function runAll(batch: Batch, mode: RunMode): Promise<readonly WriteResult[]> {
    const gate = gateFor(batch)
    const calls = mode === 'bulk' ? bulk.firstCalls(batch.writes) : []
    const stored = calls.length === 0 ? undefined : await bulk.run(calls, gate)
    const guard = mode === 'bulk' ? 'unguarded' : mode
    const results: WriteResult[] = []
    for (const [index, write] of batch.writes.entries()) {
      const known = stored?.get(index)
      if (known === undefined) setProgress(gate, index)
      results.push(known ?? (await writes.run(write, { gate, index }, guard)))
    }
    return results
  }

  async function attempt(batch: Batch, mode: RunMode): Promise<Attempt> {
    const gate = gateFor(batch)
    state.hasEnqueued = false
    state.isCommitting = false
    setWaitingForLock(gate)
    await lock.beginTransaction()
    try {
      const results = await runAll(batch, mode)
      countGeneration()
      // An entry was cancelled at the last moment: the others must neither wait for it nor be lost
      // with it.
      if (!closeGate(gate, indexesDone(batch, results))) return { kind: 'again', mode }
      state.isCommitting = true
      commit.run()
      return { kind: 'committed', results }
    } catch (thrown) {
      if (thrown === RUN_ONE_BY_ONE) return { kind: 'again', mode: 'unguarded' }
      if (thrown !== FAILED_WITHOUT_SAVEPOINT) throw thrown
      return { kind: 'again', mode: 'savepoint' }
    } finally {
      if (database.isTransaction) database.exec('ROLLBACK')
      lock.transactionEnded()
    }
  }

  return {
    async run(batch) {
      transactions.startBatch()
      setWaitingForLock(gateFor(batch))
      await setSynchronous(batch.synchronous)
      let tried = await attempt(batch, groupCommit === 'on' ? 'bulk' : 'unguarded')
      while (tried.kind === 'again') tried = await attempt(batch, tried.mode)
      return { ...tried, hasEnqueued: state.hasEnqueued }
    },
    isInDoubt: (thrown) => state.isCommitting && !(isDriverError(thrown) && isFull(thrown)),
    checkCancelled: transactions.checkCancelled,
  }
}

const SQLITE_FULL = 13

// A commit that finds no room writes no commit mark, so nothing of it can be found later.
function isFull({ errcode }: { readonly errcode: number }): boolean {
  return (errcode & 0xff) === SQLITE_FULL
}

/** The indexes of the local effects that would be committed. */
function indexesDone({ writes }: Batch, results: readonly WriteResult[]): readonly number[] {
  const indexes: number[] = []
  for (let index = 0; index < writes.length; index++)
    if (writes[index]?.kind === 'local' && isDone(results[index])) indexes.push(index)
  return indexes
}

function isDone(answer: WriteResult | undefined): boolean {
  return answer?.kind === 'stored' || answer?.kind === 'done'
}
