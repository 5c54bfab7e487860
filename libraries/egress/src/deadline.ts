import type { Clock } from '@surehand/core/ports'

/** The reason of an aborted signal: cancelled by the caller, or timed out. */
export class Interrupted extends Error {
  readonly why: 'cancelled' | 'late'

  constructor(why: 'cancelled' | 'late', message: string) {
    super(message)
    this.name = 'Halted'
    this.why = why
  }
}

export type Deadline = { readonly signal: AbortSignal; readonly end: () => void }

type DeadlineOptions = {
  readonly clock: Clock
  readonly limitMs: number
  /** What did not happen in time, with the host as the subject: `did not answer`. */
  readonly failure: string
  readonly signal?: AbortSignal | undefined
}

/**
 * A signal that is aborted after the time limit, or by the outer signal. The caller must call `end`
 * when its work is done.
 */
export function startDeadline({ clock, limitMs, failure, signal }: DeadlineOptions): Deadline {
  const controller = new AbortController()
  const cancel = clock.after(limitMs, () => controller.abort(timedOut(failure, limitMs)))
  const onAbort = () =>
    controller.abort(
      signal?.reason instanceof Interrupted
        ? signal.reason
        : new Interrupted('cancelled', 'was cancelled'),
    )
  if (signal?.aborted) onAbort()
  else signal?.addEventListener('abort', onAbort, { once: true })
  return {
    signal: controller.signal,
    end() {
      cancel()
      signal?.removeEventListener('abort', onAbort)
    },
  }
}

export function timedOut(failure: string, limitMs: number): Interrupted {
  return new Interrupted('late', `${failure} within ${limitMs} ms`)
}

/** Waits for work that may ignore its signal; a result that arrives after the abort is dropped. */
export function raceWithSignal<Result>(
  work: Promise<Result>,
  signal: AbortSignal,
): Promise<Result> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason)
    if (signal.aborted) onAbort()
    else signal.addEventListener('abort', onAbort, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort))
  })
}
