import { createHistogram } from 'node:perf_hooks'
import type { InProcess } from '../contenders.ts'

/** So many callers without a wire, each with one call under way. */
export async function driveInProcess(
  call: () => Promise<void>,
  callers: number,
  timedMs: number,
): Promise<InProcess> {
  const latencies = createHistogram()
  const startedAt = performance.now()
  const caller = async (): Promise<void> => {
    for (let now = startedAt; now - startedAt < timedMs; ) {
      await call()
      const answeredAt = performance.now()
      latencies.record(Math.max(1, Math.round((answeredAt - now) * 1e6)))
      now = answeredAt
    }
  }
  await Promise.all(Array.from({ length: callers }, caller))
  const seconds = (performance.now() - startedAt) / 1000
  return {
    rate: latencies.count / seconds,
    p50Ms: latencies.percentile(50) / 1e6,
    p99Ms: latencies.percentile(99) / 1e6,
  }
}
