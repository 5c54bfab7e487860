import type { DatabaseSync } from 'node:sqlite'
import { storageError } from '../../storage-error.ts'
import { type Connection, openConnection } from '../connection.ts'
import { serializeError } from '../serialized-error.ts'
import type { WriteLock } from '../write-lock.ts'
import type { Batch, BatchResult, WriterData } from './batch.ts'
import { type BatchRunner, createBatchRunner } from './run-batch.ts'
import { loadWriteRegistry } from './write-registry.ts'

/** Commits batches on a connection of its own, in the thread that opened it. */
export type BatchCommitter = {
  /** Never rejects: a failure is a result too. */
  readonly commit: (batch: Batch) => Promise<BatchResult>
  /** Stops waiting for the current write if it was cancelled. */
  readonly checkCancelled: () => void
  readonly close: () => void
}

type Opened = { readonly connection: Connection; readonly batches: BatchRunner }

/** Resolves when every step and transaction has been loaded. */
export async function openBatchCommitter(
  data: WriterData,
  createLock: (database: DatabaseSync) => WriteLock,
): Promise<BatchCommitter> {
  const registry = await loadWriteRegistry(data)
  let opened: Opened | undefined
  let last: Promise<unknown> = Promise.resolve()

  // Opened with the first batch: the tables are created while the modules are being loaded.
  function open(): Opened {
    const connection = openConnection(data.file, data.time, 'write')
    return {
      connection,
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
      return await opened.batches.run(batch)
    } catch (thrown) {
      return toFailedResult(thrown)
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
