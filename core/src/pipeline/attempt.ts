import type { Caller } from '../call/caller.ts'
import type { Progress } from '../call/request.ts'
import { ToolError, toToolError } from '../call/tool-error.ts'
import type { Scope } from '../define/data-scope.ts'
import type { Port } from '../define/port.ts'
import type { Execution } from '../define/tool.ts'
import type { Call } from '../ledger/call.ts'
import { cancelledError, timeoutError } from '../ledger/deadline.ts'
import type { LateResult } from '../ledger/finish-call.ts'
import { reportProgress, scrub } from '../ledger/scrub.ts'
import type { Timeline } from '../ledger/timeline.ts'
import { accessOf } from '../permissions/access.ts'
import type { PipelineContext } from './context.ts'
import type { Method } from './providers.ts'
import { inCallScope } from './stray-errors.ts'

/** One attempt. Its signal is created only when it is read. */
export class Attempt {
  /** The caller has been answered: what the attempt still does is ignored. */
  ended = false
  /** An effect is under way: the attempt is no longer cancelled when its caller disconnects. */
  committed = false
  private reason: ToolError | undefined
  private controller: AbortController | undefined

  get signal(): AbortSignal {
    this.controller ??= new AbortController()
    if (this.reason !== undefined) this.controller.abort(this.reason)
    return this.controller.signal
  }

  end(reason?: ToolError): void {
    this.ended = true
    this.reason = reason
    if (reason !== undefined) this.controller?.abort(reason)
  }
}

/**
 * Runs one attempt with a hard deadline: the caller is answered then, even if the work ignores its
 * signal. What the work returns after that goes to `onLate` only.
 */
export function attempt<T>(
  call: Call,
  context: PipelineContext,
  work: (current: Attempt) => Promise<T>,
  onLate?: (late: LateResult) => void,
): Promise<T> {
  return call.timeline === undefined
    ? attemptOnce(call, context, work, onLate)
    : timeAttempt(call, () => attemptOnce(call, context, work, onLate))
}

/** Stores when an attempt began, how long it took and why it failed. */
export function timeAttempt<T>(call: Call, once: () => Promise<T>): Promise<T> {
  return call.timeline === undefined
    ? once()
    : call.timeline.timeAttempt((error) => scrub(error, call).message, once)
}

function attemptOnce<T>(
  call: Call,
  context: PipelineContext,
  work: (current: Attempt) => Promise<T>,
  onLate: ((late: LateResult) => void) | undefined,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const current = new Attempt()
    const { signal } = call
    const limitMs = Math.min(
      call.tool.contract.timeoutMs,
      call.deadlineTicks - context.clock.ticks(),
    )
    if (signal?.aborted) return reject(cancelledError(call))
    if (limitMs <= 0) return reject(timeoutError(call, 0))
    const stopTimer = context.clock.after(limitMs, () => {
      const error = timeoutError(call, limitMs)
      context.providers.timedOut(call.tool, call.caller.tenant, error)
      stopListening?.()
      current.end(error)
      reject(error)
    })
    const stopListening =
      signal === undefined
        ? undefined
        : listen(signal, () =>
            endIfUncommitted(current, stopTimer, () => reject(cancelledError(call))),
          )
    const settle = (): boolean => {
      if (current.ended) return false
      stopListening?.()
      stopTimer()
      current.end()
      return true
    }
    const fail = (thrown: unknown): void => {
      if (settle()) reject(thrown)
      else onLate?.({ ok: false, error: toToolError(thrown) })
    }
    // An error that the work leaves behind unhandled fails the attempt as a thrown one does, also
    // when the work would never return.
    const working = context.tracesStrayErrors
      ? inCallScope(context, { callId: call.id, fail }, () => start(work, current))
      : start(work, current)
    working.then((value) => {
      if (settle()) resolve(value)
      else onLate?.({ ok: true, value })
    }, fail)
  })
}

function endIfUncommitted(current: Attempt, stopTimer: () => void, onEnd: () => void): void {
  if (current.committed || current.ended) return
  stopTimer()
  current.end(new ToolError('TOOL_CANCELLED', 'The caller has disconnected.'))
  onEnd()
}

function listen(signal: AbortSignal, onAbort: () => void): () => void {
  signal.addEventListener('abort', onAbort, { once: true })
  return () => signal.removeEventListener('abort', onAbort)
}

// An `execute` that is not async throws synchronously; that is a failure like any other.
function start<T>(work: (current: Attempt) => Promise<T>, current: Attempt): Promise<T> {
  try {
    return Promise.resolve(work(current))
  } catch (thrown) {
    return Promise.reject(thrown)
  }
}

/**
 * What `execute` is given. Costly members are getters, so that a tool that does not read them does
 * not pay for them.
 */
export class CallExecution implements Execution<unknown, never> {
  readonly input: unknown
  readonly ports: never
  readonly caller: Caller
  readonly callId: string
  readonly idempotencyKey: string
  readonly now: () => number
  private readonly attempt: Attempt
  private readonly call: Call
  private readonly context: PipelineContext

  constructor(
    call: Call,
    context: PipelineContext,
    attempt: Attempt,
    given: { readonly ports: object; readonly idempotencyKey: string },
  ) {
    this.input = call.input
    // Types are erased here: these are the providers of exactly the ports that this tool names.
    this.ports = timePorts(given.ports, call) as never
    this.caller = call.caller
    this.callId = call.id
    this.idempotencyKey = given.idempotencyKey
    this.now = context.clock.now
    this.attempt = attempt
    this.call = call
    this.context = context
  }

  get signal(): AbortSignal {
    return this.attempt.signal
  }

  get facts(): unknown {
    return this.call.approved?.facts
  }

  get scopeOf(): (capability: string) => Scope {
    return accessOf(this.call, this.context.scheme).scopeOf
  }

  get holds(): (capability: string) => boolean {
    return accessOf(this.call, this.context.scheme).holds
  }

  get newId(): (prefix: string) => string {
    return (prefix) => this.context.entropy.newId(prefix, this.context.clock.now())
  }

  get report(): (progress: Progress) => void {
    return (progress) => {
      if (!this.attempt.ended) reportProgress(progress, this.call)
    }
  }
}

type Ports = Readonly<Record<string, Readonly<Record<string, Method>>>>

/** The ports with their reads timed; effects are timed where they are sent. */
function timePorts(ports: object, { tool, timeline }: Call): object {
  if (timeline === undefined) return ports
  // Types are erased here: a provider has exactly the methods of its port.
  return Object.fromEntries(
    Object.entries(ports as Ports).map(([alias, provider]) => {
      const port = tool.ports.get(alias)
      return [alias, port === undefined ? provider : timeReads(port, provider, timeline)]
    }),
  )
}

function timeReads(port: Port, provider: Ports[string], timeline: Timeline): Ports[string] {
  return Object.fromEntries(
    Object.entries(provider).map(([name, method]): [string, Method] => [
      name,
      port.methods.get(name) === 'read'
        ? (args, signal) => timeline.timeRequest(port.name, name, () => method(args, signal))
        : method,
    ]),
  )
}
