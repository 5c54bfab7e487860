import type { CallRow } from './call-row.ts'
import type { Caller } from './caller.ts'
import type { Pace } from './json-in-turns/parse-in-pieces.ts'
import type { PartedText } from './json-in-turns/parted-text.ts'

/**
 * One call as a surface passes it to the runtime: the tool, the input, the caller, and how the call
 * is to be made.
 *
 * @example
 * const request: CallRequest = {
 *   tool: 'orders.place',
 *   input: { product: 'p1' },
 *   caller: ANONYMOUS,
 *   surface: 'cron',
 *   idempotencyKey: 'order-2026-11-16',
 * }
 */
export type CallRequest = {
  readonly tool: string
  readonly input: unknown
  /** The input as JSON text, for surfaces that received it so; used instead of `input`. */
  readonly json?: string
  /** The same for a long text that arrived in parts. */
  readonly longJson?: PartedText
  readonly caller: Caller
  readonly surface: string
  /**
   * `model`: the input is a model's own text; an idempotency key in it was invented and is ignored.
   */
  readonly writtenBy?: 'host' | 'model'
  readonly idempotencyKey?: string
  /** A framework's tool-call id, which is unique only together with its run or thread. */
  readonly hostCall?: { readonly run: string; readonly toolCall: string }
  readonly signal?: AbortSignal
  /**
   * For a large input, which is then worked on in parts, as the output is: called between them, and
   * waits while other requests are served.
   */
  readonly pace?: Pace | undefined
  /** How long the caller waits for the answer, in milliseconds from now. */
  readonly withinMs?: number
  /**
   * When a call with the same key is running: answer that it is, or wait for its result within the
   * deadline.
   */
  readonly whenRunning?: 'answer' | 'wait'
  /**
   * `meant`: repeating the same input is intended, so the guard against duplicates lets it pass.
   */
  readonly repeat?: 'refuse' | 'meant'
  /** The application's own id of the request, for the audit. */
  readonly requestId?: string
  readonly onProgress?: (progress: Progress) => void
  /** The webhook that is called when the call ends; administrators configure webhooks. */
  readonly notify?: string
  /** The stored call that continues after an approval or as a job. Set by the runtime alone. */
  readonly resumes?: CallRow | undefined
  /** The call is a step of a run: its key is its place in the run. Set by the runtime alone. */
  readonly step?: StepPlace | undefined
  /** The caller has lost every right since the call was stored. Set by the runtime alone. */
  readonly isRevoked?: boolean
}

export type StepPlace = {
  readonly parentId: string
  readonly path: string
  readonly callId: string
  /** The most retries that the run allows. */
  readonly retries?: number | undefined
}

export type Progress = {
  readonly fraction?: number
  readonly message?: string
  readonly partial?: unknown
}
