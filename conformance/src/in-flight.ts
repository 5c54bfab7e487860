import { settle } from './fake-clock.ts'

/**
 * Counts pending calls of an object, so that a test's clock does not advance before they are
 * answered.
 */
export type InFlight = {
  /** The same object, with every promise of its methods counted; methods of its parts too. */
  readonly watched: <T extends object>(subject: T) => T
  /** Lets everything be answered, and what the answers lead to. */
  readonly rest: () => Promise<void>
}

const LOOK_AGAIN_MS = 1
// Endless waits, such as a worker's wait for its next job, are not counted.
const PATIENCE_MS = 2_000

export function inFlight(): InFlight {
  let count = 0

  function countPending(answer: unknown): unknown {
    if (!(answer instanceof Promise)) return answer
    count++
    return answer.finally(() => {
      count--
    })
  }

  function watchMethods<T extends object>(subject: T): T {
    const parts = Object.entries(subject).map(([name, part]) => {
      if (typeof part === 'function')
        return [
          name,
          (...args: readonly unknown[]) => countPending(Reflect.apply(part, subject, args)),
        ]
      return [name, typeof part === 'object' && part !== null ? watchMethods(part) : part]
    })
    // erased: every part comes out as what went in
    return Object.fromEntries(parts) as T
  }

  return {
    watched: watchMethods,
    async rest() {
      const startedAt = performance.now()
      for (await settle(); count > 0 && performance.now() - startedAt < PATIENCE_MS; await settle())
        await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS))
    },
  }
}
