import { Buffer } from 'node:buffer'
import { copyFile, mkdir, rename, stat } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { Worker as Thread } from 'node:worker_threads'
import { isToolError, ToolError } from '@surehand/core'
import type { Page, Worker } from 'tesseract.js'
import { OCR_LANGUAGES, type OcrLanguage } from './ocr-port.ts'

export type TesseractReader = {
  readonly read: (
    job: { readonly image: Uint8Array; readonly languages: readonly OcrLanguage[] },
    signal: AbortSignal,
  ) => Promise<Page>
  readonly close: () => Promise<void>
}

const DATA: Readonly<Record<OcrLanguage, string>> = { en: 'eng', de: 'deu', fr: 'fra', es: 'spa' }
const resolve = createRequire(import.meta.url).resolve

/** Each waiting picture is held in memory, and the twentieth waits for about a minute. */
const MAX_WAITING = 20

type WarmWorker = { readonly worker: Worker; readonly thread: Thread; languages: string }

/**
 * One worker thread that reads one picture after another and stays loaded. It does not keep the
 * process alive by itself.
 */
export function createTesseractReader(folder: string): TesseractReader {
  let warm: Promise<WarmWorker> | undefined
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
    warm ??= startWorker(folder, languages)
    const starting = warm.catch((cause: unknown) => {
      warm = undefined
      throw new ToolError('TOOL_RESOURCE_UNAVAILABLE', 'The text reader did not start.', {
        cause,
      })
    })
    // An aborted call returns at once; the worker continues to start for the next one.
    const ready = await untilAborted(starting, signal)
    ready.thread.ref()
    try {
      return await untilAborted(recognize(ready, image, languages), signal)
    } catch (thrown) {
      // A running recognition cannot be cancelled, only its thread can be ended. After any other
      // failure a new thread is safer too.
      await end()
      throw thrown
    } finally {
      ready.thread.unref()
    }
  }

  return {
    read({ image, languages }, signal) {
      const codes = languages.map((language) => DATA[language]).join('+')
      if (waiting >= MAX_WAITING)
        return Promise.reject(
          new ToolError(
            'TOOL_RESOURCE_UNAVAILABLE',
            'Too many pictures are waiting to be read. Try again in a minute.',
          ),
        )
      waiting++
      const reading = queue.then(() => readNow(image, codes, signal)).finally(() => waiting--)
      queue = reading.catch(() => undefined)
      return untilAborted(reading, signal)
    },
    close: end,
  }
}

async function startWorker(folder: string, languages: string): Promise<WarmWorker> {
  await copyLanguageData(folder)
  const { createWorker, OEM } = await import('tesseract.js')
  const worker = await createWorker(languages.split('+'), OEM.LSTM_ONLY, {
    langPath: folder,
    cacheMethod: 'none',
    // Without a handler, errors in the thread are thrown where they cannot be caught.
    errorHandler: () => undefined,
  })
  await configure(worker)
  // The returned object has the thread, but the types of the library omit it.
  const { worker: thread } = worker as Worker & { readonly worker: Thread }
  return { worker, thread, languages }
}

// With a guessed resolution, small print beside large ornaments is lost. The debug file keeps
// Tesseract from writing to stderr.
async function configure(worker: Worker): Promise<void> {
  const { PSM } = await import('tesseract.js')
  await worker.setParameters({
    tessedit_pageseg_mode: PSM.AUTO,
    user_defined_dpi: '150',
    debug_file: '/dev/null',
  })
}

async function recognize(ready: WarmWorker, image: Uint8Array, languages: string): Promise<Page> {
  if (ready.languages !== languages) {
    await ready.worker.reinitialize(languages)
    await configure(ready.worker)
    ready.languages = languages
  }
  const { data } = await ready.worker.recognize(
    Buffer.from(image),
    {},
    { text: false, blocks: true },
  )
  return data
}

// Each language is a separate package, but Tesseract reads all of them from one folder.
async function copyLanguageData(folder: string): Promise<void> {
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
      const [expected, found] = await Promise.all([
        stat(source),
        stat(target).catch(() => undefined),
      ])
      if (found?.size === expected.size) return
      // Renamed into place, because another process may be reading the folder.
      await copyFile(source, `${target}.${process.pid}`)
      await rename(`${target}.${process.pid}`, target)
    }),
  )
}

const readError = (cause: unknown): ToolError =>
  new ToolError('TOOL_DEPENDENCY_ERROR', 'The picture could not be read.', { cause })

function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason)
    if (signal.aborted) abort()
    signal.addEventListener('abort', abort, { once: true })
    work
      .then(resolve, (thrown: unknown) =>
        reject(isToolError(thrown) || thrown === signal.reason ? thrown : readError(thrown)),
      )
      .finally(() => signal.removeEventListener('abort', abort))
  })
}
