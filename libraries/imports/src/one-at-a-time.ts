export type OneAtATime = <T>(key: string, work: () => Promise<T>) => Promise<T>

/** Runs one at a time for each key, each of them, in the order they came. */
export function oneAtATime(): OneAtATime {
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
