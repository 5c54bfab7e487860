export type Summary = { readonly median: number; readonly least: number; readonly most: number }

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((left, right) => left - right)
  const middle = sorted.length / 2
  const upper = sorted[Math.floor(middle)]
  if (upper === undefined) throw new Error('There is no median of an empty list.')
  const lower = sorted[Math.ceil(middle) - 1] ?? upper
  return (lower + upper) / 2
}

/** Undefined for an empty list: nothing was measured. */
export function summarize(values: readonly number[]): Summary | undefined {
  if (values.length === 0) return undefined
  return { median: median(values), least: Math.min(...values), most: Math.max(...values) }
}

/** The smallest value that at least this share of all values does not exceed; NaN for an empty list. */
export function percentile(values: ArrayLike<number>, share: number): number {
  const sorted = Float64Array.from(values).sort()
  return sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN
}

/** The median of the ratios of each round: a busy machine slows both contenders of a round, so their ratio stays comparable. */
export function medianRatio(
  mine: readonly number[],
  theirs: readonly number[],
): number | undefined {
  const ratios = mine.flatMap((value, round) => {
    const other = theirs[round]
    return other === undefined ? [] : [value / other]
  })
  return ratios.length === 0 ? undefined : median(ratios)
}
