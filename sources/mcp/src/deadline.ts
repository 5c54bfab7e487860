import type { Clock } from '@surehand/core/ports'

export type Deadline = {
  readonly signal: AbortSignal
  /** Why the signal was aborted: the time is up, or the caller has left. */
  readonly over: () => 'time' | 'left' | undefined
  readonly end: () => void
}

/**
 * A signal that aborts when the time is up or the caller has left. Its reason contains nothing
 * internal, because servers may see it.
 */
export function createDeadline(clock: Clock, ms: number, caller?: AbortSignal): Deadline {
  const controller = new AbortController()
  let over: 'time' | 'left' | undefined
  const finish = (why: 'time' | 'left') => {
    over ??= why
    controller.abort(why === 'time' ? 'timed out' : 'cancelled')
  }
  const onLeft = () => finish('left')
  const cancel = clock.after(ms, () => finish('time'))
  if (caller?.aborted) onLeft()
  caller?.addEventListener('abort', onLeft, { once: true })
  return {
    signal: controller.signal,
    over: () => over,
    end() {
      cancel()
      caller?.removeEventListener('abort', onLeft)
    },
  }
}

/** The result of the work; rejects if the signal aborts first. */
export function rejectWhenOver<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(new Error(String(signal.reason)))
    if (signal.aborted) onAbort()
    signal.addEventListener('abort', onAbort, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort))
  })
}
