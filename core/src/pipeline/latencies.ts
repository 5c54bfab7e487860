/** How long a tool takes, compared with its latency budget. */
export type LatencyReport = {
  readonly calls: number
  readonly failures: number
  readonly p50Ms: number
  readonly p95Ms: number
  readonly p99Ms: number
  readonly budgetMs: number
  readonly overBudget: number
}

export type Latencies = {
  readonly add: (tool: string, durationMs: number, budgetMs: number, success: boolean) => void
  readonly report: (tool: string) => LatencyReport | undefined
}

// Buckets grow by 2^(1/8): percentiles are exact to 9 %, from 1 µs to an hour, in 1.3 kB per tool.
const STEPS = 8
const BUCKETS = 320
const SMALLEST_MS = 0.001

type Histogram = {
  readonly counts: Uint32Array
  calls: number
  failures: number
  overBudget: number
  budgetMs: number
}

/**
 * Counts a tool's durations in histogram buckets, so that a million calls need no more memory than
 * one.
 */
export function createLatencies(): Latencies {
  const histograms = new Map<string, Histogram>()
  return {
    add(tool, durationMs, budgetMs, success) {
      let histogram = histograms.get(tool)
      if (histogram === undefined) {
        histogram = {
          counts: new Uint32Array(BUCKETS),
          calls: 0,
          failures: 0,
          overBudget: 0,
          budgetMs,
        }
        histograms.set(tool, histogram)
      }
      const bucket = bucketOf(durationMs)
      histogram.counts[bucket] = (histogram.counts[bucket] ?? 0) + 1
      histogram.calls++
      histogram.budgetMs = budgetMs
      if (!success) histogram.failures++
      if (durationMs > budgetMs) histogram.overBudget++
    },
    report(tool) {
      const histogram = histograms.get(tool)
      if (histogram === undefined) return undefined
      const { calls, failures, overBudget, budgetMs } = histogram
      return {
        calls,
        failures,
        overBudget,
        budgetMs,
        p50Ms: percentile(histogram, 0.5),
        p95Ms: percentile(histogram, 0.95),
        p99Ms: percentile(histogram, 0.99),
      }
    },
  }
}

function bucketOf(durationMs: number): number {
  if (durationMs <= SMALLEST_MS) return 0
  return Math.min(BUCKETS - 1, Math.ceil(Math.log2(durationMs / SMALLEST_MS) * STEPS))
}

function percentile(histogram: Histogram, share: number): number {
  const wanted = Math.ceil(histogram.calls * share)
  let seen = 0
  for (let bucket = 0; bucket < BUCKETS; bucket++) {
    seen += histogram.counts[bucket] ?? 0
    if (seen >= wanted) return SMALLEST_MS * 2 ** (bucket / STEPS)
  }
  return Number.POSITIVE_INFINITY
}
