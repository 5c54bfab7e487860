import { asyncWriteLock } from '../write-lock.ts'
import type { Batch, BatchResult, WriterData } from './batch.ts'
import { openBatchCommitter, toFailedResult } from './batch-committer.ts'
import { makeCommitGates } from './commit-gate.ts'
import type { ThreadEvents, WriterThread } from './start-thread.ts'

/**
 * The writer without a thread: the same commits on the calling thread, for a short-lived command
 * that would spend more time on starting the thread. A transaction function that never returns
 * cannot be terminated here.
 */
export async function startOnCallingThread(
  data: Omit<WriterData, 'gates'>,
  { onAnswer }: Pick<ThreadEvents, 'onAnswer'>,
): Promise<WriterThread> {
  const gates = makeCommitGates()
  const committer = await openBatchCommitter({ ...data, gates }, asyncWriteLock)
  let isEnded = false

  // Cloned in both directions: a function that changes its arguments must not change the caller's
  // objects.
  async function commit(batch: Batch): Promise<void> {
    process.on('unhandledRejection', ignore)
    const answer = await committer
      .commit(batch)
      .then(structuredClone<BatchResult>)
      .catch(toFailedResult)
    if (!isEnded) onAnswer(answer)
    // The rejections are reported after the microtasks that are due now.
    setImmediate(() => process.off('unhandledRejection', ignore))
  }

  return {
    gates,
    post(message) {
      if (message === 'check-cancelled') committer.checkCancelled()
      else void commit(structuredClone(message))
    },
    close: async () => committer.close(),
    end() {
      isEnded = true
      committer.close()
    },
  }
}

function ignore(): void {
  // A statement that a transaction function did not await: its handle has reported the failure
  // already.
}
