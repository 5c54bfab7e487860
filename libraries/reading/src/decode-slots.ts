type Limiter = <T>(work: () => Promise<T>) => Promise<T>

/** Runs at most this many at once; the others wait in the order of their arrival. */
export function limitConcurrency(limit: number): Limiter {
  const waiting: (() => void)[] = []
  let free = limit
  return async (work) => {
    if (free > 0) free--
    else await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      return await work()
    } finally {
      // The slot passes to the one that waited longest, so that no newcomer can overtake it.
      const next = waiting.shift()
      if (next === undefined) free++
      else next()
    }
  }
}

/**
 * Decodes at most two pictures at once. A decoded picture may take 150 MB, so a handful at once
 * would exhaust the memory of the process; the limit is per process, over all callers.
 */
export const withDecodeSlot = limitConcurrency(2)
