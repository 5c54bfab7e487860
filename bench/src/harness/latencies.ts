import { createHistogram } from 'node:perf_hooks'

/** A histogram of latencies: nanoseconds inside, milliseconds outside. */
export type Latencies = {
  readonly record: (ms: number) => void
  readonly count: () => number
  /** `percent` from 0 to 100. */
  readonly percentileMs: (percent: number) => number
}

export function recordLatencies(): Latencies {
  const histogram = createHistogram()
  return {
    // A histogram takes whole numbers from 1.
    record: (ms) => histogram.record(Math.max(1, Math.round(ms * 1e6))),
    count: () => histogram.count,
    percentileMs: (percent) => histogram.percentile(percent) / 1e6,
  }
}
