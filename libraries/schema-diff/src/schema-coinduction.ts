/** What is being proven, and what has been. */
export type Coinduction<R> = {
  /** The result for a claim; `level` says how deep inside the value it is made. */
  readonly prove: (claim: string, level: number, attempt: () => R) => R
}

type Entry<R> = { readonly open: number } | { readonly result: R }

export type CoinductionOptions<R> = {
  /**
   * The result of a claim that comes up again, further inside the value, while it is being proven.
   */
  readonly assumed: R
  /** The result of one that comes up again without going into the value: it would prove itself. */
  readonly circular: R
  readonly holds: (result: R) => boolean
}

/**
 * Proves claims about schemas that contain themselves. Values are finite, so a claim may be assumed
 * of a smaller value while it is being proven of the whole; whatever was proven with the help of a
 * claim that then fails is forgotten.
 */
export function coinduction<R>({
  assumed,
  circular,
  holds,
}: CoinductionOptions<R>): Coinduction<R> {
  const known = new Map<string, Entry<R>>()
  const trail: string[] = []
  return {
    prove(claim, level, attempt) {
      const entry = known.get(claim)
      if (entry !== undefined && 'result' in entry) return entry.result
      if (entry !== undefined) return entry.open < level ? assumed : circular
      known.set(claim, { open: level })
      const start = trail.push(claim) - 1
      const result = attempt()
      if (!holds(result)) for (const dependent of trail.splice(start)) known.delete(dependent)
      known.set(claim, { result })
      return result
    },
  }
}
