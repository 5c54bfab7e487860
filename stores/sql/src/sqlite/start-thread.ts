import { Worker } from 'node:worker_threads'
import { storageError } from '../storage-error.ts'
import { type CommitGate, makeCommitGates } from './commit-gate.ts'
import type { FromWriter, Group, GroupAnswer, ToWriter, WriterData } from './group.ts'
import { packGroup } from './packed-group.ts'
import { errorTold } from './told-error.ts'

/** The writer's thread from outside. */
export type WriterThread = {
  /** One for each group that it may be given before it has answered. */
  readonly gates: readonly CommitGate[]
  readonly post: (message: Group | 'look') => void
  readonly close: () => Promise<void>
  /** Wherever it is. Nothing more is heard of it. */
  readonly end: () => void
}

export type ThreadEvents = {
  readonly onAnswer: (answer: GroupAnswer) => void
  /** It ended though nobody closed it. */
  readonly onGone: (error: Error) => void
}

// a function that was given up may have come back and never end
const CLOSING_MS = 5_000

/** Resolves when the thread has found all it may be asked for by name. */
export function startThread(
  data: Omit<WriterData, 'gates'>,
  { onAnswer, onGone }: ThreadEvents,
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

  function post(message: Group | 'look' | 'close'): void {
    worker.postMessage(
      (typeof message === 'string' ? message : (packGroup(message) ?? message)) satisfies ToWriter,
    )
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
      } else if (message.kind === 'failed') reject(errorTold(message.error))
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
      else if (!state.isClosing) onGone(error)
    })
  })
}
