import { Worker } from 'node:worker_threads'
import { storageError } from '../../storage-error.ts'
import { deserializeError } from '../serialized-error.ts'
import type { Batch, BatchResult, FromWriter, ToWriter, WriterData } from './batch.ts'
import { type CommitGate, makeCommitGates } from './commit-gate.ts'
import { packBatch } from './packed-batch.ts'

/** The writer's thread as seen from the main thread. */
export type WriterThread = {
  /** One gate for each batch that may be sent before a result has arrived. */
  readonly gates: readonly CommitGate[]
  readonly post: (message: Batch | 'check-cancelled') => void
  readonly close: () => Promise<void>
  /** Terminates the thread wherever it is. No further event follows. */
  readonly end: () => void
}

export type ThreadEvents = {
  readonly onAnswer: (answer: BatchResult) => void
  /** The thread exited although it was not closed. */
  readonly onExit: (error: Error) => void
}

// How long a close may take: a function of a cancelled entry may run for ever.
const CLOSING_MS = 5_000

/** Resolves when the thread has loaded every step and transaction. */
export function startThread(
  data: Omit<WriterData, 'gates'>,
  { onAnswer, onExit }: ThreadEvents,
): Promise<WriterThread> {
  const gates = makeCommitGates()
  const worker = new Worker(new URL('./writer-thread.ts', import.meta.url), {
    workerData: { ...data, gates } satisfies WriterData,
  })
  const exited = new Promise<void>((resolve) => worker.once('exit', () => resolve()))
  const state: { isReady: boolean; isClosing: boolean; cause: unknown } = {
    isReady: false,
    isClosing: false,
    cause: undefined,
  }

  function post(message: Batch | 'check-cancelled' | 'close'): void {
    const isPacked = typeof message !== 'string' && data.groupCommit === 'on'
    worker.postMessage((isPacked ? (packBatch(message) ?? message) : message) satisfies ToWriter)
  }

  async function close(): Promise<void> {
    state.isClosing = true
    post('close')
    const timer = setTimeout(() => void worker.terminate(), CLOSING_MS)
    await exited
    clearTimeout(timer)
  }

  function end(): void {
    state.isClosing = true
    void worker.terminate()
  }

  return new Promise((resolve, reject) => {
    worker.on('message', (message: FromWriter) => {
      if (message === 'ready') {
        state.isReady = true
        resolve({ gates, post, close, end })
      } else if (state.isReady) {
        if (!state.isClosing) onAnswer(message)
      } else if (message.kind === 'failed') reject(deserializeError(message.error))
    })
    worker.on('error', (cause: unknown) => {
      state.cause = cause
    })
    worker.once('exit', () => {
      const reason = state.cause instanceof Error ? `: ${state.cause.message}` : ''
      const error = storageError(
        new Error(`the writer's thread has ended${reason}`, { cause: state.cause }),
      )
      if (!state.isReady) reject(error)
      else if (!state.isClosing) onExit(error)
    })
  })
}
