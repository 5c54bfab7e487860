import { type Caller, type CallRequest, type Clock, type Envelope, type Runtime, systemClock, type Tool } from '@surehand/core'

/** What a host may say of one call, as HTTP says it in headers. */
export type PerCall = Partial<Pick<CallRequest, 'idempotencyKey' | 'withinMs' | 'whenRunning' | 'repeat' | 'requestId' | 'notify'>>

/** `toolCallId` is empty where the tool was invoked without a tool call. */
export type HostedCall = { readonly tool: Tool; readonly input: unknown; readonly toolCallId: string }

export type ToolOptions = {
  /** Instead of the graph's `thread_id`: together with the tool-call id it makes the key. */
  readonly run?: string
  /** The name this host relays its person's word under; the tenant's policy says whether it counts. */
  readonly host?: string
  readonly approvalUrl?: (approvalId: string) => string
  readonly questionUrl?: (questionId: string) => string
  /** How long a model is kept waiting for a job. */
  readonly waitMs?: number
  readonly clock?: Clock
  readonly request?: (call: HostedCall) => PerCall
  /** Hears the whole envelope of every call that was answered. */
  readonly onEnvelope?: (envelope: Envelope, toolCallId: string) => void
}

const WAIT_MS = 60_000

/** Whose tools they are, and everything a call needs besides itself. */
export type Surface = Omit<ToolOptions, 'waitMs' | 'clock'> & {
  readonly runtime: Runtime
  readonly caller: Caller
  readonly waitMs: number
  readonly clock: Clock
}

export function surfaceOf(runtime: Runtime, caller: Caller, options: ToolOptions): Surface {
  return { ...options, runtime, caller, waitMs: options.waitMs ?? WAIT_MS, clock: options.clock ?? systemClock() }
}
