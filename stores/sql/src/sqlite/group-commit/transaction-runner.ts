import { ToolError } from '@surehand/core/worker-entry'
import type { LocalRequest } from '../../local-effect.ts'
import type { Connection } from '../connection.ts'
import { type CommitGate, isCancelled } from './commit-gate.ts'
import { openTransactionHandle } from './transaction-handle.ts'
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
