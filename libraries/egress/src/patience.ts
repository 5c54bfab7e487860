import type { Clock } from '@surehand/core/ports'

/** Why waiting ended before its time; the reason of a signal. */
export class Halted extends Error {
  readonly why: 'cancelled' | 'late'

  constructor(why: 'cancelled' | 'late', message: string) {
    super(message)
    this.name = 'Halted'
    this.why = why
  }
}

export type Patience = { readonly signal: AbortSignal; readonly end: () => void }

type Waiting = {
  readonly clock: Clock
  readonly limitMs: number
  /** What was not done in time, said of the host: `did not answer`. */
  readonly failing: string
  readonly signal?: AbortSignal | undefined
}

/** A signal that says when to stop: when the time is up, or when the outer signal says so. Whoever asked for it ends it. */
export function patience({ clock, limitMs, failing, signal }: Waiting): Patience {
  const controller = new AbortController()
  const cancel = clock.after(limitMs, () => controller.abort(late(failing, limitMs)))
  const onAbort = () =>
    controller.abort(
      signal?.reason instanceof Halted ? signal.reason : new Halted('cancelled', 'was given up'),
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

export function late(failing: string, limitMs: number): Halted {
  return new Halted('late', `${failing} within ${limitMs} ms`)
}

/** Waits for work that may not listen to its signal; what it brings too late is dropped. */
export function unlessHalted<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason)
    if (signal.aborted) onAbort()
    else signal.addEventListener('abort', onAbort, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort))
  })
}
