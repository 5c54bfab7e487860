import { Buffer } from 'node:buffer'
import { Worker } from 'node:worker_threads'
import { ToolError } from '@surehand/core'

/** Computes the meaning of texts as vectors. */
export type Embeddings = {
  /** Null where the model is not installed: `@energetic-ai/*` are optional dependencies. */
  readonly embed: (
    request: {
      readonly texts: readonly string[]
      /** No caller waits for it: a process without other work ends, and nothing is remembered. */
      readonly isBackground?: boolean
    },
    signal: AbortSignal,
  ) => Promise<{ readonly model: string; readonly vectors: readonly Vector[] } | null>
}
type Vector = readonly number[]

export type EmbeddingRequest = { readonly number: number; readonly texts: readonly string[] }
export type EmbeddingReply =
  | { readonly number: number; readonly vectors: readonly Vector[] | null }
  | { readonly number: number; readonly failure: string }

/** Vectors of different models cannot be compared, so each is stored with this name. */
export const LOCAL_MODEL = 'use-lite-en-0.2'
const MAX_REMEMBERED = 2_000
/** The model holds some 100 MB, so it is unloaded when it has not been used for a while. */
const IDLE_MS = 5 * 60_000

/** Whether the process has to live until it is done. */
type Work = 'awaited' | 'background'
type Waiting = {
  readonly work: Work
  readonly resolve: (vectors: readonly Vector[] | null) => void
  readonly reject: (error: Error) => void
}

/** The meaning of English texts, computed on this machine, in a thread that the first text opens. */
export function localEmbeddings(): Embeddings {
  const thread = createThread()
  const remembered = new Map<string, Vector>()
  let isMissing = false

  async function compute(texts: readonly string[], work: Work): Promise<readonly Vector[] | null> {
    const vectors = await thread.compute(texts, work)
    if (vectors !== null) return vectors
    isMissing = true
    thread.close()
    return null
  }

  async function embedMissing(texts: readonly string[]): Promise<void> {
    const missing = [...new Set(texts)].filter((text) => !remembered.has(text))
    const vectors = missing.length === 0 ? null : await compute(missing, 'awaited')
    for (const [index, vector] of vectors?.entries() ?? [])
      remembered.set(missing[index] ?? '', vector)
  }

  return {
    async embed({ texts, isBackground = false }, signal) {
      signal.throwIfAborted()
      if (isMissing) return null
      if (isBackground) {
        const vectors = await withAbort(compute(texts, 'background'), signal)
        return vectors === null ? null : { model: LOCAL_MODEL, vectors }
      }
      await withAbort(embedMissing(texts), signal)
      if (isMissing) return null
      const vectors = texts.map((text) => remembered.get(text) ?? [])
      for (const oldest of [...remembered.keys()].slice(0, remembered.size - MAX_REMEMBERED))
        remembered.delete(oldest)
      return { model: LOCAL_MODEL, vectors }
    },
  }
}

/** The thread of the model: opened by the first texts, closed after a while without any. */
function createThread() {
  const waiting = new Map<number, Waiting>()
  let thread: Worker | undefined
  let idle: NodeJS.Timeout | undefined
  let count = 0

  function open(): Worker {
    if (thread !== undefined) return thread
    const opened = new Worker(new URL('./embedding-thread.ts', import.meta.url))
    thread = opened
    opened.on('message', (reply: EmbeddingReply) => {
      const one = waiting.get(reply.number)
      waiting.delete(reply.number)
      if ('vectors' in reply) one?.resolve(reply.vectors)
      else one?.reject(threadError(reply.failure))
      if ([...waiting.values()].every(({ work }) => work === 'background')) opened.unref()
    })
    const end = (cause?: unknown): void => {
      if (thread === opened) thread = undefined
      for (const { reject } of waiting.values()) reject(threadError(cause))
      waiting.clear()
    }
    opened.on('error', end)
    opened.on('exit', () => end())
    // A process that has nothing else to do may end. Listening for messages would hold it again.
    opened.unref()
    return opened
  }

  return {
    compute(texts: readonly string[], work: Work): Promise<readonly Vector[] | null> {
      const worker = open()
      const number = count++
      clearTimeout(idle)
      idle = setTimeout(() => void thread?.terminate(), IDLE_MS).unref()
      return new Promise((resolve, reject) => {
        waiting.set(number, { work, resolve, reject })
        if (work === 'awaited') worker.ref()
        worker.postMessage({ number, texts } satisfies EmbeddingRequest)
      })
    },
    close: () => void thread?.terminate(),
  }
}

function withAbort<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  const abort = (): void => reject(signal.reason)
  signal.addEventListener('abort', abort, { once: true })
  return Promise.race([work, promise]).finally(() => signal.removeEventListener('abort', abort))
}

function threadError(cause: unknown): ToolError {
  return new ToolError(
    'TOOL_RESOURCE_UNAVAILABLE',
    'The meaning of the text could not be computed.',
    { cause },
  )
}

/** A vector as signed bytes, in base64. Its length is lost, which a cosine does not depend on. */
export function encodeVector(vector: Vector): string {
  const largest = Math.max(...vector.map(Math.abs), Number.MIN_VALUE)
  return Buffer.from(
    Int8Array.from(vector, (value) => Math.round((value / largest) * 127)).buffer,
  ).toString('base64')
}

export function decodeVector(text: string): Int8Array {
  const bytes = Buffer.from(text, 'base64')
  return new Int8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}
