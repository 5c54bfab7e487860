import { Worker } from 'node:worker_threads'
import { ToolError, type ToolErrorCode } from '@surehand/core'
import type { PreviewOrder } from '../day-previews-port.ts'

export type FilmWanted = Pick<PreviewOrder, 'date' | 'events' | 'style'>
export type Film = { readonly bytes: Uint8Array; readonly durationSeconds: number }

export type FromPreviewThread =
  | { readonly kind: 'progress'; readonly done: number; readonly total: number }
  | ({ readonly kind: 'made' } & Film)
  | { readonly kind: 'failed'; readonly code: ToolErrorCode; readonly message: string }

export type Filming = {
  readonly onProgress: (done: number, total: number) => void
  readonly signal: AbortSignal
}

/** Makes a film in a thread of its own, which is ended when nobody wants it any more. */
export function makeFilm(wanted: FilmWanted, { onProgress, signal }: Filming): Promise<Film> {
  signal.throwIfAborted()
  const worker = new Worker(new URL('./preview-thread.ts', import.meta.url), { workerData: wanted })
  const made = new Promise<Film>((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
    worker.on('message', (message: FromPreviewThread) => {
      switch (message.kind) {
        case 'progress':
          return onProgress(message.done, message.total)
        case 'made':
          return resolve({ bytes: message.bytes, durationSeconds: message.durationSeconds })
        case 'failed':
          return reject(new ToolError(message.code, message.message, { effect: 'none' }))
      }
    })
    worker.on('error', (cause) => reject(threadEndedError(cause)))
    worker.on('exit', () => reject(threadEndedError()))
  })
  return made.finally(() => worker.terminate())
}

// nothing is outside: the key is free again
function threadEndedError(cause?: unknown): ToolError {
  return new ToolError(
    'TOOL_INTERNAL_ERROR',
    'The thread that makes the preview ended too early.',
    { effect: 'none', cause },
  )
}
