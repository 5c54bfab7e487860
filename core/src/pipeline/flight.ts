import type { Call } from '../call/call.ts'
import type { Answer } from '../call/outcome.ts'
import type { ToolError } from '../call/tool-error.ts'
import { cancelled, timedOut } from './attempt.ts'
import type { PipelineContext } from './parts.ts'

/** A read under way that several callers wait for. */
export type Flight = {
  readonly answer: Promise<Answer>
  waiting: number
  /** Ends the work when the last one who wanted it has gone. */
  readonly land: AbortController
}

/** Waits with the others, no longer than the caller's own deadline; leaving early leaves them alone. */
export function join(flight: Flight, call: Call, parts: PipelineContext): Promise<Answer> {
  flight.waiting++
  return new Promise((resolve, reject) => {
    const { signal } = call
    const leftMs = Math.max(0, call.deadlineTicks - parts.clock.ticks())
    const stopTimer = parts.clock.after(leftMs, () => leave(timedOut(call, leftMs)))
    const onAbort = (): void => leave(cancelled(call))
    let isHere = true

    function depart(): boolean {
      if (!isHere) return false
      isHere = false
      flight.waiting--
      stopTimer()
      signal?.removeEventListener('abort', onAbort)
      return true
    }

    function leave(error: ToolError): void {
      if (!depart()) return
      if (flight.waiting === 0) flight.land.abort()
      reject(error)
    }

    if (signal?.aborted) return onAbort()
    signal?.addEventListener('abort', onAbort, { once: true })
    flight.answer.then(
      // everybody gets a copy: what one does to an answer must not show in another's
      (answer) =>
        depart() &&
        resolve(
          answer.status === 'done' ? { ...answer, data: structuredClone(answer.data) } : answer,
        ),
      (thrown) => depart() && reject(thrown),
    )
  })
}
