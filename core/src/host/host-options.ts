import type { Envelope, EnvelopeOptions } from '../call/envelope.ts'
import type { CallRequest } from '../call/request.ts'
import type { Tool } from '../define/tool.ts'
import type { Clock } from '../ports/clock.ts'

/**
 * A call that a model made through a framework; `toolCallId` is empty where the framework has none.
 */
export type HostedCall = {
  readonly tool: Tool
  readonly input: unknown
  readonly toolCallId: string
}

/** The options of one call that a host may set, as HTTP does with headers. */
export type HostCallOptions = Partial<
  Pick<
    CallRequest,
    'idempotencyKey' | 'withinMs' | 'whenRunning' | 'repeat' | 'requestId' | 'notify'
  >
>

/** The options of every framework adapter. */
export type HostOptions = EnvelopeOptions & {
  /**
   * The id of the chat, thread or run these calls belong to. With it, a repeated call is recognized
   * as the same call, so it must not change between requests.
   */
  readonly run?: string
  /** How long a model waits for a job; 0: it gets the answer `accepted` at once. */
  readonly waitMs?: number
  readonly clock?: Clock
  readonly request?: (call: HostedCall) => HostCallOptions
  /** Called with the envelope of every call. */
  readonly onEnvelope?: (envelope: Envelope, toolCallId: string) => void
}

/** How long a model waits for a job by default. */
export const HOST_WAIT_MS = 60_000
