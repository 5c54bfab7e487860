import type { Call } from '../call/call.ts'
import { cancelled, timedOut } from './attempt.ts'
import type { PipelineContext } from './parts.ts'

/** Waits for something that has no end of its own, no longer than the call's deadline and while the caller is there. */
export function inTime<T>(call: Call, parts: PipelineContext, work: Promise<T>): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const { signal } = call
    const leftMs = Math.max(0, call.deadlineTicks - parts.clock.ticks())
    const stopTimer = parts.clock.after(leftMs, () => end(() => reject(timedOut(call, leftMs))))
    const onAbort = (): void => end(() => reject(cancelled(call)))
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
