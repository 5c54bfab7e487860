import type { CallRequest, Clock, Envelope, Progress, Tool } from '@surehand/core'
import type { ProviderName } from './providers/wire.ts'

/** What a host says besides: who talks to which model, and how its calls are kept apart. */
export type FunctionCallingOptions<P extends ProviderName = ProviderName> = {
  readonly provider: P
  /** The chat, thread or run this is, from the host. Only with it a call's id makes a stable key; it is never invented. */
  readonly run?: string
  /** `prefer`: the vendor forces the schema wherever it can say it. Unless said, OpenAI prefers and Anthropic never does. */
  readonly strict?: 'prefer' | 'never'
  /** Anthropic: where the prompt up to the last tool is kept by the vendor. */
  readonly cacheControl?: Readonly<Record<string, unknown>>
  /** What HTTP says in headers, call by call. */
  readonly request?: (call: ModelCall) => SaidBeside
  readonly approvalUrl?: (approvalId: string) => string
  readonly questionUrl?: (questionId: string) => string
  /** How long a model is kept waiting for what a worker does, in milliseconds. 0: it is told that it was accepted. */
  readonly waitMs?: number
  readonly clock?: Clock
  /** Hears the whole envelope of every call. */
  readonly onEnvelope?: (envelope: Envelope, toolCallId: string) => void
  readonly onProgress?: (progress: Progress, toolCallId: string) => void
}

export type ModelCall = { readonly tool: Tool; readonly input: unknown; readonly toolCallId: string }

export type SaidBeside = Partial<Pick<CallRequest, 'idempotencyKey' | 'withinMs' | 'whenRunning' | 'repeat' | 'requestId' | 'notify'>>

export const DEFAULT_WAIT_MS = 60_000
