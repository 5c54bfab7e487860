const FEWEST = 1_000

/**
 * Calls `sweep` now and then as things are written; the answer is to be called with every write.
 * It waits for as many writes as the last sweep left behind: what is kept is at most twice what lives, and a write costs the same however much there is.
 */
export function sweepPeriodically(sweep: () => number): () => void {
  let writesLeft = FEWEST
  return () => {
    if (--writesLeft > 0) return
    writesLeft = Math.max(FEWEST, sweep())
  }
}
