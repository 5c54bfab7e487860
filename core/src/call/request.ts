import type { CallRow } from './call-row.ts'
import type { Caller } from './caller.ts'

/** What a surface hands to the runtime. */
export type CallRequest = {
  readonly tool: string
  readonly input: unknown
  /** Set instead of `input` by surfaces that hold the text. */
  readonly json?: string
  readonly caller: Caller
  readonly surface: string
  /** `model`: nobody looked at the input since; a key that stands in it was made up, and is left out. */
  readonly writtenBy?: 'host' | 'model'
  readonly idempotencyKey?: string
  /** A framework's tool-call id, worth something only together with the host's run or thread. */
  readonly hostCall?: { readonly run: string; readonly toolCall: string }
  readonly signal?: AbortSignal
  /** How long the caller is ready to wait, in milliseconds from now. */
  readonly withinMs?: number
  /** What to do when the same key is being worked on: answer so, or wait for it within the deadline. */
  readonly whenRunning?: 'answer' | 'wait'
  /** A person or the host says that doing the same again is meant. */
  readonly repeat?: 'refuse' | 'meant'
  /** The domain's own request, for the audit. */
  readonly requestId?: string
  readonly onProgress?: (progress: Progress) => void
  /** The webhook that hears of its end; the house's administrators keep the list. */
  readonly notify?: string
  /** A granted approval or a job comes back through the same door. Set by the runtime alone. */
  readonly resumes?: CallRow | undefined
  /** It is a step of a run: its key is its place there, never its input. Set by the runtime alone. */
  readonly step?: StepPlace | undefined
  /** Whoever called may do nothing any more. Set by the runtime alone. */
  readonly isShutOut?: boolean
}

export type StepPlace = {
  readonly parentId: string
  readonly path: string
  readonly callId: string
}

export type Progress = {
  readonly fraction?: number
  readonly message?: string
  readonly partial?: unknown
}
