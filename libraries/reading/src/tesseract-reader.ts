import { Buffer } from 'node:buffer'
import { copyFile, mkdir, rename, stat } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { Worker as Thread } from 'node:worker_threads'
import { isToolError, ToolError } from '@surehand/core'
import type { Page, Worker } from 'tesseract.js'
import { OCR_LANGUAGES, type OcrLanguage } from './ocr-port.ts'

export type Reader = {
  readonly read: (
    job: { readonly image: Uint8Array; readonly languages: readonly OcrLanguage[] },
    signal: AbortSignal,
  ) => Promise<Page>
  readonly close: () => Promise<void>
}

const DATA: Readonly<Record<OcrLanguage, string>> = { en: 'eng', de: 'deu', fr: 'fra', es: 'spa' }
const resolve = createRequire(import.meta.url).resolve

/** Each holds its picture in memory, and the last of twenty waits for a minute. */
const MOST_WAITING = 20

type Warm = { readonly worker: Worker; readonly thread: Thread; languages: string }

/**
 * One thread that reads one picture after another and stays warm. It never keeps the process alive
 * by itself.
 */
export function createReader(folder: string): Reader {
  let warm: Promise<Warm> | undefined
  let queue: Promise<unknown> = Promise.resolve()
  let waiting = 0

  function end(): Promise<void> {
    const ended = warm
    warm = undefined
    return ended === undefined
      ? Promise.resolve()
      : ended.then(({ worker }) => void worker.terminate())
  }

  async function readNow(image: Uint8Array, languages: string, signal: AbortSignal): Promise<Page> {
    signal.throwIfAborted()
    warm ??= start(folder, languages)
    const starting = warm.catch((cause: unknown) => {
      warm = undefined
      throw new ToolError('TOOL_RESOURCE_UNAVAILABLE', 'The reader of pictures did not start.', {
        cause,
      })
    })
    // who leaves while it starts is let go; it goes on starting for the next
    const ready = await orAborted(starting, signal)
    ready.thread.ref()
    try {
      return await orAborted(recognize(ready, image, languages), signal)
    } catch (thrown) {
      // its thread can't be told to stop, only be ended; whatever else broke in it, a new one is
      // sound
      await end()
      throw thrown
    } finally {
      ready.thread.unref()
    }
  }

  return {
    read({ image, languages }, signal) {
      const wanted = languages.map((language) => DATA[language]).join('+')
      if (waiting >= MOST_WAITING)
        return Promise.reject(
          new ToolError(
            'TOOL_RESOURCE_UNAVAILABLE',
            'Too many pictures wait to be read. Try again in a minute.',
          ),
        )
      waiting++
      const reading = queue.then(() => readNow(image, wanted, signal)).finally(() => waiting--)
      queue = reading.catch(() => undefined)
      return orAborted(reading, signal)
    },
    close: end,
  }
}

async function start(folder: string, languages: string): Promise<Warm> {
  await layLanguages(folder)
  const { createWorker, OEM } = await import('tesseract.js')
  const worker = await createWorker(languages.split('+'), OEM.LSTM_ONLY, {
    langPath: folder,
    cacheMethod: 'none',
    // without one, what goes wrong in the thread is thrown where nobody can catch it
    errorHandler: () => undefined,
  })
  await setUp(worker)
  // the library's types leave out the thread it hands back
  const { worker: thread } = worker as Worker & { readonly worker: Thread }
  return { worker, thread, languages }
}

// a guessed resolution loses small print beside large ornaments; and it would talk to stderr
async function setUp(worker: Worker): Promise<void> {
  const { PSM } = await import('tesseract.js')
  await worker.setParameters({
    tessedit_pageseg_mode: PSM.AUTO,
    user_defined_dpi: '150',
    debug_file: '/dev/null',
  })
}

async function recognize(ready: Warm, image: Uint8Array, languages: string): Promise<Page> {
  if (ready.languages !== languages) {
    await ready.worker.reinitialize(languages)
    await setUp(ready.worker)
    ready.languages = languages
  }
  const { data } = await ready.worker.recognize(
    Buffer.from(image),
    {},
    { text: false, blocks: true },
  )
  return data
}

// each language is a package of its own, and Tesseract looks in one folder
async function layLanguages(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true })
  await Promise.all(
    OCR_LANGUAGES.map(async (language) => {
      const name = `${DATA[language]}.traineddata.gz`
      const source = join(
        dirname(resolve(`@tesseract.js-data/${DATA[language]}/package.json`)),
        '4.0.0_best_int',
        name,
      )
      const target = join(folder, name)
      const [wanted, found] = await Promise.all([stat(source), stat(target).catch(() => undefined)])
      if (found?.size === wanted.size) return
      // another process may be reading there: it sees all of the file or none of it
      await copyFile(source, `${target}.${process.pid}`)
      await rename(`${target}.${process.pid}`, target)
    }),
  )
}

const notRead = (cause: unknown): ToolError =>
  new ToolError('TOOL_DEPENDENCY_ERROR', 'The picture could not be read.', { cause })

function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const leave = (): void => reject(signal.reason)
    if (signal.aborted) leave()
    signal.addEventListener('abort', leave, { once: true })
    work
      .then(resolve, (thrown: unknown) =>
        reject(isToolError(thrown) || thrown === signal.reason ? thrown : notRead(thrown)),
      )
      .finally(() => signal.removeEventListener('abort', leave))
  })
}
