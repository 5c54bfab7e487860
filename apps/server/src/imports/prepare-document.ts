import { Worker } from 'node:worker_threads'
import { ToolError, type ToolErrorCode } from '@surehand/core'
import type { Maybe } from '@surehand/core/ports'
import type { Preparation } from '@surehand/imports'
import { isYaml } from '@surehand/openapi'
import { type GraphqlRequest, prepareGraphql } from './prepare-graphql.ts'
import { type OpenApiRequest, prepareOpenApi } from './prepare-openapi.ts'

export type WorkerMessage =
  | ({ readonly kind: 'prepared' } & Preparation)
  | { readonly kind: 'refused'; readonly code: ToolErrorCode; readonly message: string }

/** What a worker is started with. */
export type WorkerRequest =
  | { readonly kind: 'openapi'; readonly wanted: OpenApiRequest }
  | { readonly kind: 'graphql'; readonly wanted: GraphqlRequest }

// YAML is parsed many times slower than JSON: this much takes a moment, 5 MB more than a second.
const LONGEST_HERE = 262_144
const LONGEST_MS = 60_000
const MOST_MEGABYTES = 1_024
// Workers per process: a tenant with ten documents would otherwise start ten at once.
const limitWorkers = limitConcurrency(2)

/**
 * Prepares a document. A long YAML document, which would block the event loop, is prepared in a
 * worker with a time limit.
 */
export function prepareInTime(wanted: OpenApiRequest): Maybe<Preparation> {
  const { overlay } = wanted.settings
  const isLong = [wanted.document, typeof overlay === 'string' ? overlay : ''].some(
    (text) => text.length > LONGEST_HERE && isYaml(text),
  )
  return isLong ? prepareInWorker(wanted, LONGEST_MS) : prepareOpenApi(wanted)
}

/**
 * Prepares a GraphQL schema. A large one has hundreds of operations, and choosing their fields takes
 * seconds: it is prepared in a worker.
 */
export function prepareGraphqlInTime(wanted: GraphqlRequest): Maybe<Preparation> {
  return wanted.document.length > LONGEST_HERE
    ? limitWorkers(() => runWorker({ kind: 'graphql', wanted }, LONGEST_MS))
    : prepareGraphql(wanted)
}

/** The time limit counts from the start of the worker, not while it waits for a free slot. */
export function prepareInWorker(wanted: OpenApiRequest, withinMs: number): Promise<Preparation> {
  return limitWorkers(() => runWorker({ kind: 'openapi', wanted }, withinMs))
}

function runWorker(request: WorkerRequest, withinMs: number): Promise<Preparation> {
  const worker = new Worker(new URL('./prepare-thread.ts', import.meta.url), {
    workerData: request,
    resourceLimits: { maxOldGenerationSizeMb: MOST_MEGABYTES },
  })
  let timer: NodeJS.Timeout | undefined
  const prepared = new Promise<Preparation>((resolve, reject) => {
    timer = setTimeout(
      () => reject(tooMuch(`takes longer than ${withinMs / 1_000} s to parse`)),
      withinMs,
    )
    worker.on('message', (message: WorkerMessage) => {
      if (message.kind === 'prepared')
        resolve({ prepared: message.prepared, report: message.report })
      else reject(new ToolError(message.code, message.message))
    })
    worker.on('error', (cause: NodeJS.ErrnoException) => {
      if (cause.code === 'ERR_WORKER_OUT_OF_MEMORY')
        reject(tooMuch(`takes more than ${MOST_MEGABYTES} MB of memory to parse`))
      else reject(threadEnded(cause))
    })
    worker.on('exit', () => reject(threadEnded()))
  })
  return prepared.finally(() => {
    clearTimeout(timer)
    return worker.terminate()
  })
}

// On a less busy machine the same document may succeed. The pause is long beside the minute that an
// attempt takes.
const MAY_PASS = { again_after_ms: 600_000 }

function tooMuch(what: string): ToolError {
  return new ToolError('TOOL_INPUT_TOO_LARGE', `This document ${what}.`, {
    details: MAY_PASS,
    suggestions: ['Convert it to JSON, or split it into parts.'],
  })
}

function threadEnded(cause?: unknown): ToolError {
  return new ToolError(
    'TOOL_INTERNAL_ERROR',
    'The worker that parses the document ended unexpectedly.',
    { details: MAY_PASS, cause },
  )
}

/** Runs at most this many tasks at a time; the others wait in order. */
export function limitConcurrency(most: number): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = []
  let running = 0
  return async (work) => {
    if (running < most) running++
    // A task that ends passes its slot on.
    else await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next === undefined) running--
      else next()
    }
  }
}
