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
export function createPageReader({
  maxReadMs = MAX_READ_MS,
  program = new URL('./page-thread.ts', import.meta.url),
}: {
  readonly maxReadMs?: number
  /** What the thread runs. */
  readonly program?: URL
} = {}): PageReader {
  let thread: Worker | undefined
  let idle: NodeJS.Timeout | undefined
  let last: Promise<unknown> = Promise.resolve()

  function open(): Worker {
    if (thread !== undefined) return thread
    const opened = new Worker(program)
    // A thread that fails is replaced; the page it failed at is read as text.
    opened.on('error', () => forget(opened))
    opened.on('exit', () => forget(opened))
    thread = opened
    return opened
  }

  function forget(worker: Worker): void {
    if (thread === worker) thread = undefined
  }

  // At once: the next page must not be given to a thread that is about to end.
  function close(worker: Worker): void {
    forget(worker)
    void worker.terminate()
  }

  function readInThread(request: PageRequest): Promise<WebPage | undefined> {
    const worker = open()
    clearTimeout(idle)
    worker.ref()
    return new Promise<WebPage | undefined>((resolve) => {
      const giveUp = (): void => {
        close(worker)
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
        // Not before: how long a thread takes to start says nothing about the page.
        if (message === 'started') timer = setTimeout(giveUp, maxReadMs)
        else end(message)
      }
      worker.on('message', hear)
      worker.on('exit', endWithout)
      worker.postMessage(request)
    }).finally(() => {
      // A process that has nothing else to do may end.
      worker.unref()
      idle = setTimeout(() => close(worker), IDLE_MS).unref()
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
