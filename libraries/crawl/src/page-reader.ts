import { Worker } from 'node:worker_threads'
import { readPage, readPageAsText, type WebPage } from './read-page.ts'

export type PageRequest = { readonly html: string; readonly url: string }
/** A thread says when it begins to read a page, and then what it has read. */
export type ThreadMessage = 'started' | WebPage

/** A page of this size is read within milliseconds: less than handing it to a thread costs. */
const SMALL_CHARACTERS = 8_000
const MAX_READ_MS = 15_000
/** Between the pages of a crawl the thread stays. */
const IDLE_MS = 10_000

export type PageReader = {
  /** Reads a page from its HTML. Rejects only if the signal is aborted. */
  readonly read: (request: PageRequest, signal: AbortSignal) => Promise<WebPage>
}

/**
 * Reads pages in a thread, one after the other, because the tree of a large page takes more than half
 * a second, during which this process would serve no other call. A page that takes too long, or ends
 * the thread, is read as text without a tree.
 */
export function createPageReader(maxReadMs = MAX_READ_MS): PageReader {
  let thread: Worker | undefined
  let idle: NodeJS.Timeout | undefined
  let last: Promise<unknown> = Promise.resolve()

  function open(): Worker {
    if (thread !== undefined) return thread
    const opened = new Worker(new URL('./page-thread.ts', import.meta.url))
    const forget = (): void => {
      if (thread === opened) thread = undefined
    }
    // A thread that fails is replaced; the page it failed at is read as text.
    opened.on('error', forget)
    opened.on('exit', forget)
    thread = opened
    return opened
  }

  function readInThread(request: PageRequest): Promise<WebPage | undefined> {
    const worker = open()
    clearTimeout(idle)
    worker.ref()
    return new Promise<WebPage | undefined>((resolve) => {
      const giveUp = (): void => {
        void worker.terminate()
        resolve(undefined)
      }
      let timer: NodeJS.Timeout | undefined
      const end = (page?: WebPage): void => {
        clearTimeout(timer)
        worker.off('message', hear)
        worker.off('exit', endWithout)
        resolve(page)
      }
      const endWithout = (): void => end()
      const hear = (message: ThreadMessage): void => {
        if (message !== 'started') return end(message)
        // Not before: how long a thread takes to start says nothing about the page.
        timer = setTimeout(giveUp, maxReadMs)
      }
      worker.on('message', hear)
      worker.on('exit', endWithout)
      worker.postMessage(request)
    }).finally(() => {
      // A process that has nothing else to do may end.
      worker.unref()
      idle = setTimeout(() => void worker.terminate(), IDLE_MS).unref()
    })
  }

  return {
    async read(request, signal) {
      signal.throwIfAborted()
      if (request.html.length <= SMALL_CHARACTERS) return readPage(request.html, request.url)
      const reading = last.then(() => {
        signal.throwIfAborted()
        return readInThread(request)
      })
      last = reading.catch(() => undefined)
      return (await reading) ?? readPageAsText(request.html, request.url)
    },
  }
}
