const FEWEST = 1_000

/**
 * Returns a function that is called with every write, and calls `sweep` now and then. It waits for
 * as many writes as the last sweep left entries: at most half of the entries are dead, and the cost
 * per write is constant.
 */
export function sweepPeriodically(sweep: () => number): () => void {
  let writesLeft = FEWEST
  return () => {
    if (--writesLeft > 0) return
    writesLeft = Math.max(FEWEST, sweep())
  }
}
