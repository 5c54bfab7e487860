import { Worker } from 'node:worker_threads'
import { ToolError, type ToolErrorCode } from '@surehand/core'
import type { Maybe } from '@surehand/core/ports'
import type { Preparation } from '@surehand/imports'
import { isYaml } from '@surehand/openapi'
import { limitConcurrency } from './at-most.ts'
import { type OpenApiRequest, prepareOpenApi } from './prepare-openapi.ts'

export type WorkerMessage =
  | ({ readonly kind: 'prepared' } & Preparation)
  | { readonly kind: 'refused'; readonly code: ToolErrorCode; readonly message: string }

// of YAML, which is read many times slower than JSON: this much in a moment, 5 MB in a second and more
const LONGEST_HERE = 262_144
const LONGEST_MS = 60_000
const MOST_MEGABYTES = 1_024
// of the process, whosever the documents are: a tenant with ten of them is loaded at once
const limitWorkers = limitConcurrency(2)

/** Prepares a document; one in YAML that would keep everybody else waiting in a thread of its own, which is ended when it takes too long. */
export function prepareInTime(wanted: OpenApiRequest): Maybe<Preparation> {
  const { overlay } = wanted.settings
  const isLong = [wanted.document, typeof overlay === 'string' ? overlay : ''].some(
    (text) => text.length > LONGEST_HERE && isYaml(text),
  )
  return isLong ? prepareInWorker(wanted, LONGEST_MS) : prepareOpenApi(wanted)
}

/** The time is that of the thread: a document that waits for others is not too long. */
export function prepareInWorker(wanted: OpenApiRequest, withinMs: number): Promise<Preparation> {
  return limitWorkers(() => runWorker(wanted, withinMs))
}

function runWorker(wanted: OpenApiRequest, withinMs: number): Promise<Preparation> {
  const worker = new Worker(new URL('./prepare-thread.ts', import.meta.url), {
    workerData: wanted,
    resourceLimits: { maxOldGenerationSizeMb: MOST_MEGABYTES },
  })
  let timer: NodeJS.Timeout | undefined
  const prepared = new Promise<Preparation>((resolve, reject) => {
    timer = setTimeout(
      () => reject(tooMuch(`takes longer than ${withinMs / 1_000} s to read`)),
      withinMs,
    )
    worker.on('message', (message: WorkerMessage) => {
      if (message.kind === 'prepared')
        resolve({ prepared: message.prepared, report: message.report })
      else reject(new ToolError(message.code, message.message))
    })
    worker.on('error', (cause: NodeJS.ErrnoException) => {
      if (cause.code === 'ERR_WORKER_OUT_OF_MEMORY')
        reject(tooMuch(`takes more than ${MOST_MEGABYTES} MB to read`))
      else reject(threadEnded(cause))
    })
    worker.on('exit', () => reject(threadEnded()))
  })
  return prepared.finally(() => {
    clearTimeout(timer)
    return worker.terminate()
  })
}

// on a machine that is less busy the same document is read; long beside the minute that such a try may take
const MAY_PASS = { again_after_ms: 600_000 }

function tooMuch(what: string): ToolError {
  return new ToolError('TOOL_INPUT_TOO_LARGE', `This document ${what}.`, {
    details: MAY_PASS,
    suggestions: ['Convert it to JSON, or cut it into parts.'],
  })
}

function threadEnded(cause?: unknown): ToolError {
  return new ToolError(
    'TOOL_INTERNAL_ERROR',
    'The thread that reads the document ended too early.',
    { details: MAY_PASS, cause },
  )
}
