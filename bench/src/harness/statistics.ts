export type Summary = { readonly median: number; readonly least: number; readonly most: number }

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((left, right) => left - right)
  const middle = sorted.length / 2
  const upper = sorted[Math.floor(middle)]
  if (upper === undefined) throw new Error('the median of nothing')
  const lower = sorted[Math.ceil(middle) - 1] ?? upper
  return (lower + upper) / 2
}

export function summarize(values: readonly number[]): Summary {
  return { median: median(values), least: Math.min(...values), most: Math.max(...values) }
}
