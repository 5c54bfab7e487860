import { Worker } from 'node:worker_threads'
import { ToolError, type ToolErrorCode } from '@surehand/core'
import type { PreviewOrder } from '../day-previews-port.ts'

export type VideoRequest = Pick<PreviewOrder, 'date' | 'events' | 'style'>
export type Video = { readonly bytes: Uint8Array; readonly durationSeconds: number }

export type PreviewThreadMessage =
  | { readonly kind: 'progress'; readonly done: number; readonly total: number }
  | ({ readonly kind: 'made' } & Video)
  | { readonly kind: 'failed'; readonly code: ToolErrorCode; readonly message: string }

export type VideoOptions = {
  readonly onProgress: (done: number, total: number) => void
  readonly signal: AbortSignal
}

/** Renders a video in a worker thread, which ends when the signal aborts. */
export function renderVideo(
  request: VideoRequest,
  { onProgress, signal }: VideoOptions,
): Promise<Video> {
  signal.throwIfAborted()
  const worker = new Worker(new URL('./preview-thread.ts', import.meta.url), {
    workerData: request,
  })
  const rendered = new Promise<Video>((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
    worker.on('message', (message: PreviewThreadMessage) => {
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
  return rendered.finally(() => worker.terminate())
}

// Nothing has left the process, so the key may be used again.
function threadEndedError(cause?: unknown): ToolError {
  return new ToolError('TOOL_INTERNAL_ERROR', 'The thread that renders the preview ended early.', {
    effect: 'none',
    cause,
  })
}
