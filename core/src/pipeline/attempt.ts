import type { Call } from '../call/call.ts'
import { ToolError, toToolError } from '../call/tool-error.ts'
import type { PipelineContext } from './parts.ts'

/** One try. Its signal is made only when somebody asks for it. */
export class Attempt {
  /** True once it has been answered: whatever it still does counts for nothing. */
  ended = false
  /** Once an effect is under way, the caller's leaving no longer stops it. */
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

export type Late =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly error: ToolError }

/**
 * Runs one try with a hard end: the answer comes at the deadline even if the work ignores its signal.
 * What it brings later goes to `onLate`, and nowhere else.
 */
export function attempt<T>(
  call: Call,
  parts: PipelineContext,
  work: (current: Attempt) => Promise<T>,
  onLate?: (late: Late) => void,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const current = new Attempt()
    const { signal } = call
    const limitMs = Math.min(call.tool.contract.timeoutMs, call.deadlineTicks - parts.clock.ticks())
    if (signal?.aborted) return reject(cancelled(call))
    if (limitMs <= 0) return reject(timedOut(call, 0))
    const stopTimer = parts.clock.after(limitMs, () => {
      const error = timedOut(call, limitMs)
      parts.providers.timedOut(call.tool, error)
      stopListening?.()
      current.end(error)
      reject(error)
    })
    const stopListening =
      signal === undefined
        ? undefined
        : listen(signal, () => leave(current, stopTimer, () => reject(cancelled(call))))
    const settle = (): boolean => {
      if (current.ended) return false
      stopListening?.()
      stopTimer()
      current.end()
      return true
    }
    run(work, current).then(
      (value) => {
        if (settle()) resolve(value)
        else onLate?.({ ok: true, value })
      },
      (thrown) => {
        if (settle()) reject(thrown)
        else onLate?.({ ok: false, error: toToolError(thrown) })
      },
    )
  })
}

function leave(current: Attempt, stopTimer: () => void, gone: () => void): void {
  if (current.committed || current.ended) return
  stopTimer()
  current.end(new ToolError('TOOL_CANCELLED', 'The caller has left.'))
  gone()
}

function listen(signal: AbortSignal, onAbort: () => void): () => void {
  signal.addEventListener('abort', onAbort, { once: true })
  return () => signal.removeEventListener('abort', onAbort)
}

// an execute that is not async throws at once; that is a failure like any other
function run<T>(work: (current: Attempt) => Promise<T>, current: Attempt): Promise<T> {
  try {
    return Promise.resolve(work(current))
  } catch (thrown) {
    return Promise.reject(thrown)
  }
}

export function timedOut(call: Call, limitMs: number): ToolError {
  const ms = Math.round(limitMs)
  return new ToolError(
    'TOOL_EXECUTION_TIMEOUT',
    `${call.tool.id} did not finish within ${ms} ms.`,
    { details: { timeout_ms: ms } },
  )
}

export function cancelled(call: Call): ToolError {
  return new ToolError('TOOL_CANCELLED', `${call.tool.id} was cancelled before anything happened.`)
}
