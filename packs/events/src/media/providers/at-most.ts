type Gate = <T>(work: () => Promise<T>) => Promise<T>

/** Lets so many run at once; the others wait in the order they came. */
export function atMost(running: number): Gate {
  const waiting: (() => void)[] = []
  let free = running
  return async (work) => {
    if (free > 0) free--
    else await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      return await work()
    } finally {
      // the place goes straight to who waited longest: nobody who comes now is before them
      const next = waiting.shift()
      if (next === undefined) free++
      else next()
    }
  }
}
