import { promises as timers } from 'node:timers'
import type { LocalDone } from '@surehand/core/ports'
import type { LocalRequest } from '../../local-effect.ts'
import { type FileGuard, replacedError } from '../file-guard.ts'
import { asyncWriteLock } from '../write-lock.ts'
import type { Batch, BatchResult, WriterData } from './batch.ts'
import { openBatchCommitter, toFailedResult } from './batch-committer.ts'
import { makeCommitGates } from './commit-gate.ts'
import { GroupCommitQueue } from './group-commit-queue.ts'
import type { ThreadEvents, WriterThread } from './start-thread.ts'
import { CHECK_MS } from './watchdog.ts'

/** The writer as the rest of the store sees it. */
export type Writer = {
  readonly step: (
    name: string,
    args: unknown,
    synchronous: Batch['synchronous'],
  ) => Promise<unknown>
  /** Committed within the time, or not at all. */
  readonly local: (request: LocalRequest, timeoutMs: number) => Promise<LocalDone>
  /** Finishes the writes that are in progress; later ones are rejected. */
  readonly close: () => Promise<void>
}

export type WriterOptions = Omit<WriterData, 'gates'> & {
  /** Watched by this thread too: a writer that is started again must not open another file. */
  readonly guard: FileGuard
  readonly runsIn: 'thread' | 'calling-thread'
  readonly onEnqueued: () => void
}

// The pause between the exit of a thread and the start of the next one: usually, after a thread
// that completed nothing, and at most.
const PAUSE_MS = { first: 100, fruitless: 1_000, most: 30_000 }

/**
 * Starts the writer; resolves when it has loaded every step and transaction that can be requested
 * by name.
 */
export async function startWriter({
  runsIn,
  onEnqueued,
  guard,
  ...data
}: WriterOptions): Promise<Writer> {
  const queue = new GroupCommitQueue(data.groupCommit)
  const closing = new AbortController()
  let hasAnswered = false
  let restarting: Promise<void> | undefined

  async function start(): Promise<WriterThread> {
    if (runsIn === 'calling-thread') return startOnCallingThread(data, { onAnswer })
    // Imported only when needed: a short-lived command does not load the code that starts threads.
    const { startThread } = await import('./start-thread.ts')
    return startThread(data, { onAnswer, onExit: lose })
  }

  function onAnswer(answer: BatchResult): void {
    hasAnswered = true
    if (queue.settleBatch(answer)) onEnqueued()
  }

  function lose(error: Error): void {
    queue.onThreadLost(error)
    restarting = restart()
  }

  /**
   * Tries for as long as it takes: a call that kills its thread must not close the store to all
   * others.
   */
  async function restart(): Promise<void> {
    let pauseMs = hasAnswered ? PAUSE_MS.first : PAUSE_MS.fruitless
    hasAnswered = false
    for (;;) {
      await timers.setTimeout(pauseMs, undefined, { signal: closing.signal }).catch(() => undefined)
      if (closing.signal.aborted) return
      if (guard.isReplaced()) return void queue.refuse(replacedError('none'))
      const broken = await start().then((thread) => queue.useThread(thread, 'isolated'), toError)
      if (broken === undefined) return
      queue.rejectWaiting(broken)
      pauseMs = Math.min(pauseMs * 2, PAUSE_MS.most)
    }
  }

  queue.useThread(await start())
  const watching = setInterval(() => {
    guard.isReplaced()
    const stuck = queue.terminateIfStuck()
    if (stuck !== undefined) lose(stuck)
  }, CHECK_MS).unref()

  return {
    step: (name, args, synchronous) => queue.add({ kind: 'step', name, args }, synchronous),
    // erased: the writer's thread returns the result of localEffect
    local: (request, timeoutMs) =>
      queue.addWithTimeout(timeoutMs, { kind: 'local', request }) as Promise<LocalDone>,
    async close() {
      queue.stopAccepting()
      closing.abort()
      // A thread that is just being started would otherwise outlive the writer.
      await restarting
      await queue.close()
      clearInterval(watching)
    },
  }
}

function toError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown))
}

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
  let committing = 0

  // One listener for any number of commits: the last ones may still wait for their rejections.
  function ignoreRejections(): void {
    if (committing++ === 0) process.on('unhandledRejection', ignore)
  }
  function heedRejections(): void {
    if (--committing === 0) process.off('unhandledRejection', ignore)
  }

  // Cloned in both directions: a function that changes its arguments must not change the caller's
  // objects.
  async function commit(batch: Batch): Promise<void> {
    ignoreRejections()
    const answer = await committer
      .commit(batch)
      .then(structuredClone<BatchResult>)
      .catch(toFailedResult)
    if (!isEnded) onAnswer(answer)
    // The rejections are reported after the microtasks that are due now.
    setImmediate(heedRejections)
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
