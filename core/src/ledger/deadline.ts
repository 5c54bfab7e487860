import { ToolError } from '../call/tool-error.ts'
import type { Call } from './call.ts'
import type { LedgerContext } from './context.ts'

/**
 * Waits for work that has no time limit of its own, until the call's deadline and while its caller
 * is connected.
 */
export function withDeadline<T>(call: Call, context: LedgerContext, work: Promise<T>): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const { signal } = call
    const leftMs = Math.max(0, call.deadlineTicks - context.clock.ticks())
    const stopTimer = context.clock.after(leftMs, () =>
      end(() => reject(timeoutError(call, leftMs))),
    )
    const onAbort = (): void => end(() => reject(cancelledError(call)))
    function end(settle: () => void): void {
      stopTimer()
      signal?.removeEventListener('abort', onAbort)
      settle()
    }
    signal?.addEventListener('abort', onAbort, { once: true })
    if (signal?.aborted) onAbort()
    work.then(
      (value) => end(() => resolve(value)),
      (thrown) => end(() => reject(thrown)),
    )
  })
}

export function timeoutError(call: Call, limitMs: number): ToolError {
  const ms = Math.round(limitMs)
  return new ToolError(
    'TOOL_EXECUTION_TIMEOUT',
    `${call.tool.id} did not finish within ${ms} ms.`,
    { details: { timeout_ms: ms } },
  )
}

export function cancelledError(call: Call): ToolError {
  return new ToolError('TOOL_CANCELLED', `${call.tool.id} was cancelled before anything happened.`)
}
