import { Worker } from 'node:worker_threads'
import { storageError } from '../storage-error.ts'
import type { FromWriter, Group, GroupAnswer, ToWriter, WriterData } from './group.ts'
import { errorTold } from './told-error.ts'

/** The writer's thread from outside. */
export type WriterThread = {
  readonly post: (message: Group | 'look') => void
  readonly close: () => Promise<void>
}

export type ThreadEvents = {
  readonly onAnswer: (answer: GroupAnswer) => void
  /** It ended though nobody closed it. */
  readonly onGone: (error: Error) => void
}

/** Resolves when the thread has found all it may be asked for by name. */
export function startThread(workerData: WriterData, { onAnswer, onGone }: ThreadEvents): Promise<WriterThread> {
  const worker = new Worker(new URL('./writer-thread.ts', import.meta.url), { workerData })
  const exited = new Promise<void>((resolve) => worker.once('exit', () => resolve()))
  const state: { isReady: boolean; isClosing: boolean; cause: unknown } = { isReady: false, isClosing: false, cause: undefined }

  function post(message: ToWriter): void {
    worker.postMessage(message)
  }

  async function close(): Promise<void> {
    state.isClosing = true
    post('close')
    await exited
  }

  return new Promise((resolve, reject) => {
    worker.on('message', (message: FromWriter) => {
      if (message === 'ready') {
        state.isReady = true
        resolve({ post, close })
      } else if (state.isReady) onAnswer(message)
      else if (message.kind === 'failed') reject(errorTold(message.error))
    })
    worker.on('error', (cause: unknown) => {
      state.cause = cause
    })
    worker.once('exit', () => {
      const reason = state.cause instanceof Error ? `: ${state.cause.message}` : ''
      const error = storageError(new Error(`the writer's thread has ended${reason}`, { cause: state.cause }))
      if (!state.isReady) reject(error)
      else if (!state.isClosing) onGone(error)
    })
  })
}
