/** Runs one at a time for each key. Whoever comes while one runs and one waits is served by the one that waits: it has yet to look. */
export function inTurn(work: (key: string) => Promise<void>): (key: string) => Promise<void> {
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
