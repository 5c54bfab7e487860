export type KeyedMutex = <T>(key: string, work: () => Promise<T>) => Promise<T>

/** Runs the work of each key one at a time, in the order it was submitted. */
export function createKeyedMutex(): KeyedMutex {
  const lastOf = new Map<string, Promise<unknown>>()
  return (key, work) => {
    const run = (lastOf.get(key) ?? Promise.resolve()).then(work)
    const ended = run
      .catch(() => undefined)
      .then(() => {
        if (lastOf.get(key) === ended) lastOf.delete(key)
      })
    lastOf.set(key, ended)
    return run
  }
}

/**
 * Runs the work of each key one at a time. Callers that arrive during a run share one following
 * run, which sees their changes.
 */
export function coalesceRuns(work: (key: string) => Promise<void>): (key: string) => Promise<void> {
  const running = new Map<string, Promise<void>>()
  const waiting = new Map<string, Promise<void>>()

  function start(key: string): Promise<void> {
    const run = work(key).finally(() => {
      if (running.get(key) === run) running.delete(key)
    })
    running.set(key, run)
    return run
  }

  return (key) => {
    const before = running.get(key)
    if (before === undefined) return start(key)
    const next =
      waiting.get(key) ??
      before
        .catch(() => undefined)
        .then(() => {
          waiting.delete(key)
          return start(key)
        })
    waiting.set(key, next)
    return next
  }
}
