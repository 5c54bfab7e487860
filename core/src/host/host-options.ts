import type { Envelope, EnvelopeOptions } from '../call/envelope.ts'
import type { CallRequest } from '../call/request.ts'
import type { Tool } from '../define/tool.ts'
import type { Clock } from '../ports/clock.ts'

/** A call that a model made through a framework; `toolCallId` is empty where the framework has none. */
export type HostedCall = {
  readonly tool: Tool
  readonly input: unknown
  readonly toolCallId: string
}

/** What a host may say of one call beside its input, as HTTP does in headers. */
export type HostCallOptions = Partial<
  Pick<
    CallRequest,
    'idempotencyKey' | 'withinMs' | 'whenRunning' | 'repeat' | 'requestId' | 'notify'
  >
>

/** What every adapter of a framework is told by whoever hosts it. */
export type HostOptions = EnvelopeOptions & {
  /** The chat, thread or run these calls belong to: with it a call that is made again is the same call. Never a new one for each request. */
  readonly run?: string
  /** How long a model is kept waiting for what a worker does; 0: it is told that it was accepted. */
  readonly waitMs?: number
  readonly clock?: Clock
  readonly request?: (call: HostedCall) => HostCallOptions
  /** Hears the whole envelope of every call. */
  readonly onEnvelope?: (envelope: Envelope, toolCallId: string) => void
}

/** How long a model is kept waiting where its host says nothing. */
export const HOST_WAIT_MS = 60_000
