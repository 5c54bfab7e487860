import type { DatabaseSync } from 'node:sqlite'
import { givenValue } from '../../calls/call-row.ts'
import { type LocalKept, type LocalRequest, localEffect } from '../../local-effect.ts'
import type { Sql } from '../../step.ts'
import { storageError } from '../../storage-error.ts'
import type { Connection } from '../connection.ts'
import { serializeError } from '../serialized-error.ts'
import type { WriteRequest, WriteResult } from './batch.ts'
import { isCancelled } from './commit-gate.ts'
import { type BatchSlot, CANCELLED, type TransactionRunner } from './transaction-runner.ts'
import type { WriteRegistry } from './write-registry.ts'

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
      return toErrorResult(storageError(cause))
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
      return cause === CANCELLED ? { kind: 'cancelled' } : toErrorResult(cause)
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
