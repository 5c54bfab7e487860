/** Reproducible random numbers: the same seed plans the same faults. */
export type Random = {
  /** 0 ≤ x < 1. */
  readonly next: () => number
  /** An integer from `from` up to, but not including, `to`. */
  readonly between: (from: number, to: number) => number
  readonly isLikely: (share: number) => boolean
  readonly pick: <T>(list: readonly [T, ...T[]]) => T
}

/**
 * A 32-bit counter through the finalizer of MurmurHash3, which is uniform enough for planning
 * faults.
 */
export function createRandom(seed: number): Random {
  let counter = seed | 0
  function next(): number {
    counter = (counter + 0x9e3779b9) | 0
    let mixed = counter
    mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b)
    mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
    return ((mixed ^ (mixed >>> 16)) >>> 0) / 2 ** 32
  }
  const between = (from: number, to: number): number => from + Math.floor(next() * (to - from))
  return {
    next,
    between,
    isLikely: (share) => next() < share,
    pick: (list) => list[between(0, list.length)] ?? list[0],
  }
}
