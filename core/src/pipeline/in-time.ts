import type { Call } from '../call/call.ts'
import { cancelled, timedOut } from './attempt.ts'
import type { Parts } from './parts.ts'

/** Waits for something that has no end of its own, no longer than the call's deadline and while the caller is there. */
export function inTime<T>(call: Call, parts: Parts, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const { signal } = call
    const leftMs = Math.max(0, call.deadlineTicks - parts.clock.ticks())
    const onAbort = (): void => reject(cancelled(call))
    const stopTimer = parts.clock.after(leftMs, () => reject(timedOut(call, leftMs)))
    const done = (): void => {
      stopTimer()
      signal?.removeEventListener('abort', onAbort)
    }
    if (signal?.aborted) onAbort()
    signal?.addEventListener('abort', onAbort, { once: true })
    work.then(resolve, reject).finally(done)
  })
}
