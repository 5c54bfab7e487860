import {
  type Caller,
  type CallRequest,
  type Clock,
  type Envelope,
  type EnvelopeOptions,
  type Runtime,
  systemClock,
  type Tool,
} from '@surehand/core'

/** What a host may say of one call beside its input, as HTTP does in headers. */
export type CallOptions = Partial<Pick<CallRequest, 'idempotencyKey' | 'withinMs' | 'whenRunning' | 'repeat' | 'requestId' | 'notify'>>

export type Options = EnvelopeOptions & {
  /** The chat, thread or run these calls belong to: with it a call that is made again is the same call. Never a new one for each request. */
  readonly run?: string
  /** The name under which this host relays its person's yes; the tenant's policy says whether that counts. */
  readonly host?: string
  /** How long a model is kept waiting for what a worker does; 0: it is told that it was accepted. */
  readonly waitMs?: number
  readonly clock?: Clock
  readonly request?: (call: { readonly tool: Tool; readonly input: unknown; readonly toolCallId: string }) => CallOptions
  /** Hears the whole envelope of every call. */
  readonly onEnvelope?: (envelope: Envelope, toolCallId: string) => void
}

/** The options with everything settled, and whom they are for. */
export type Surface = {
  readonly runtime: Runtime
  readonly caller: Caller
  readonly run: string | undefined
  readonly host: string | undefined
  readonly waitMs: number
  readonly clock: Clock
  readonly pages: EnvelopeOptions
  readonly callOptions: NonNullable<Options['request']>
  readonly onEnvelope: NonNullable<Options['onEnvelope']>
}

const WAIT_MS = 60_000

export function surfaceOf(runtime: Runtime, caller: Caller, options: Options): Surface {
  const { approvalUrl, questionUrl } = options
  return {
    runtime,
    caller,
    run: options.run,
    host: options.host,
    waitMs: options.waitMs ?? WAIT_MS,
    clock: options.clock ?? systemClock(),
    pages: { ...(approvalUrl === undefined ? {} : { approvalUrl }), ...(questionUrl === undefined ? {} : { questionUrl }) },
    callOptions: options.request ?? (() => ({})),
    onEnvelope: options.onEnvelope ?? (() => undefined),
  }
}
