/** How many may work at once. */
export type Places = {
  readonly free: () => number
  /** Returns the function that frees it. It is also freed after a while. */
  readonly take: () => () => void
}

/** What takes longer than this is not waited for by what comes after it. */
export const LONG_MS = 100

export function createPlaces(most: number, onFree: () => void): Places {
  let free = most
  return {
    free: () => free,
    take() {
      let isTaken = true
      const timer = setTimeout(leave, LONG_MS)
      function leave(): void {
        clearTimeout(timer)
        if (!isTaken) return
        isTaken = false
        free++
        onFree()
      }
      free--
      return leave
    },
  }
}
