import type { Answer } from '../call/outcome.ts'
import type { ToolError } from '../call/tool-error.ts'
import type { Call } from '../ledger/call.ts'
import { cancelledError, timeoutError } from '../ledger/deadline.ts'
import type { PipelineContext } from './context.ts'

/** A read that is being executed once for several callers. */
export type Flight = {
  readonly answer: Promise<Answer>
  waiting: number
  /** Aborts the read when its last caller has left. */
  readonly controller: AbortController
}

/**
 * Waits for the shared answer until the caller's own deadline. A caller who leaves early does not
 * disturb the others.
 */
export function joinFlight(flight: Flight, call: Call, context: PipelineContext): Promise<Answer> {
  flight.waiting++
  return new Promise((resolve, reject) => {
    const { signal } = call
    const leftMs = Math.max(0, call.deadlineTicks - context.clock.ticks())
    const stopTimer = context.clock.after(leftMs, () => leave(timeoutError(call, leftMs)))
    const onAbort = (): void => leave(cancelledError(call))
    let isWaiting = true

    function depart(): boolean {
      if (!isWaiting) return false
      isWaiting = false
      flight.waiting--
      stopTimer()
      signal?.removeEventListener('abort', onAbort)
      return true
    }

    function leave(error: ToolError): void {
      if (!depart()) return
      if (flight.waiting === 0) flight.controller.abort()
      reject(error)
    }

    if (signal?.aborted) return onAbort()
    signal?.addEventListener('abort', onAbort, { once: true })
    flight.answer.then(
      // Every caller gets a copy: a change that one makes must not show in another's answer.
      (answer) =>
        depart() &&
        resolve(
          answer.status === 'done' ? { ...answer, data: structuredClone(answer.data) } : answer,
        ),
      (thrown) => depart() && reject(thrown),
    )
  })
}
