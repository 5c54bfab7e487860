import { FIRST_FENCE, givenValue } from '../../calls/call-row.ts'
import { type LocalRequest, serializeResult } from '../../local-effect.ts'
import type { Connection } from '../connection.ts'
import type { WriteRequest, WriteResult } from './batch.ts'
import { type CommitGate, isCancelled, setProgress } from './commit-gate.ts'
import { createFirstCallWriter, type DoneLocal } from './first-call-writer.ts'
import { type BatchSlot, CANCELLED, type TransactionRunner } from './transaction-runner.ts'

/**
 * The fast path of a batch that holds nothing but first calls: one query checks that their keys are
 * unused, their functions run one after another, and one statement writes the rows of all of them.
 */
export type BulkRunner = {
  /**
   * The local effects of a batch that can take the fast path; undefined when it holds anything
   * else.
   */
  readonly locals: (writes: readonly WriteRequest[]) => readonly LocalRequest[] | undefined
  /**
   * Throws RUN_ONE_BY_ONE when the batch cannot take the fast path. Any other error has ended the
   * transaction.
   */
  readonly run: (
    locals: readonly LocalRequest[],
    gate: CommitGate,
  ) => Promise<readonly WriteResult[]>
}

/**
 * The batch has to be run one by one: a key was used before, a function failed, or an entry was
 * cancelled.
 */
export const RUN_ONE_BY_ONE: Error = new Error('one by one')

/** A function that was run, and its result as it is stored. */
type Applied = DoneLocal & { readonly result: unknown }

export function createBulkRunner(
  connection: Connection,
  { withTransaction, started, markFailed, hasFailedRecently }: TransactionRunner,
): BulkRunner {
  const writer = createFirstCallWriter(connection)

  async function apply(request: LocalRequest, slot: BatchSlot): Promise<Applied> {
    if (isCancelled(slot.gate, slot.index)) throw RUN_ONE_BY_ONE
    started.add(slot.index)
    try {
      const result = await withTransaction(request, slot, (applied) => applied())
      return { request, result, ...serializeResult(request.name, result) }
    } catch (cause) {
      if (cause !== CANCELLED) markFailed(request.name)
      throw cause
    }
  }

  async function applyAll(
    locals: readonly LocalRequest[],
    gate: CommitGate,
  ): Promise<readonly WriteResult[]> {
    if (!writer.areFirst(locals)) throw RUN_ONE_BY_ONE
    const done: Applied[] = []
    for (const [index, request] of locals.entries()) {
      setProgress(gate, index)
      done.push(await apply(request, { gate, index: index }))
    }
    if (!writer.write(done)) throw RUN_ONE_BY_ONE
    return done.map(({ result, json }) => ({
      kind: 'stored',
      fence: FIRST_FENCE,
      json: result === undefined ? undefined : json,
    }))
  }

  return {
    locals(writes) {
      const locals = writes.flatMap((write) =>
        write.kind === 'local' && isPlain(write.request) && !hasFailedRecently(write.request.name)
          ? [write.request]
          : [],
      )
      return locals.length === writes.length ? locals : undefined
    },
    async run(locals, gate) {
      try {
        return await applyAll(locals, gate)
      } catch (cause) {
        // SQLite may have ended the whole transaction by itself, for example because the disk is
        // full.
        if (!connection.database.isTransaction) throw cause
        throw RUN_ONE_BY_ONE
      }
    },
  }
}

/** A first call that needs nothing but its effect, its row and its record. */
function isPlain({ claim, secretKeys }: LocalRequest): boolean {
  const { given, resumes, guardMs } = claim
  const isAlone =
    givenValue(given, 'parent_id') === null &&
    givenValue(given, 'is_secret') === 0 &&
    secretKeys.length === 0
  return isAlone && !resumes && guardMs === undefined
}
