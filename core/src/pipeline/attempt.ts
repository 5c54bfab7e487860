import type { Call } from '../call/call.ts'
import { ToolError, toToolError } from '../call/tool-error.ts'
import type { Parts } from './parts.ts'

/** One try. Its signal is made only when somebody asks for it. */
export class Attempt {
  /** True once it has been answered: whatever it still does counts for nothing. */
  ended = false
  /** Once an effect is under way, the caller's leaving no longer stops it. */
  committed = false
  private controller: AbortController | undefined

  get signal(): AbortSignal {
    this.controller ??= new AbortController()
    return this.controller.signal
  }

  end(reason?: ToolError): void {
    this.ended = true
    if (reason !== undefined) this.controller?.abort(reason)
  }
}

export type Late = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly error: ToolError }

/**
 * Runs one try with a hard end: the answer comes at the deadline even if the work ignores its signal.
 * What it brings later goes to `onLate`, and nowhere else.
 */
export function attempt<T>(call: Call, parts: Parts, work: (current: Attempt) => Promise<T>, onLate?: (late: Late) => void): Promise<T> {
  return new Promise((resolve, reject) => {
    const current = new Attempt()
    const { signal } = call
    if (signal?.aborted) return reject(cancelled(call))
    const leftMs = call.deadlineTicks - parts.clock.ticks()
    const stopTimer = parts.clock.after(Math.max(0, Math.min(call.tool.contract.timeoutMs, leftMs)), () => {
      const error = timedOut(call)
      parts.providers.timedOut(call.tool, error)
      current.end(error)
      reject(error)
    })
    const stopListening = signal === undefined ? undefined : listen(signal, current, () => reject(cancelled(call)))
    const settle = (): boolean => {
      stopListening?.()
      if (current.ended) return false
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

function listen(signal: AbortSignal, current: Attempt, leave: () => void): () => void {
  const onAbort = (): void => {
    if (current.committed || current.ended) return
    current.end(new ToolError('TOOL_CANCELLED', 'The caller has left.'))
    leave()
  }
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

function timedOut(call: Call): ToolError {
  const { timeoutMs } = call.tool.contract
  return new ToolError('TOOL_EXECUTION_TIMEOUT', `${call.tool.id} did not finish within ${timeoutMs} ms.`, {
    details: { timeout_ms: timeoutMs },
  })
}

export function cancelled(call: Call): ToolError {
  return new ToolError('TOOL_CANCELLED', `${call.tool.id} was cancelled before anything happened.`)
}
