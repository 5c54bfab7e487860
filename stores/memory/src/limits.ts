import type { Bucket, Clock, LimitStore, Taken } from '@surehand/core'

type Window = { readonly times: Float64Array; next: number; used: number }

/** Limits in memory: the last N times of each bucket, so that no sliding window ever holds more than N. */
export function memoryLimits(clock: Clock): LimitStore {
  const windows = new Map<string, Window>()
  const budgets = new Map<string, number>()

  function refusal(bucket: Bucket, now: number): Taken | undefined {
    if (bucket.max === 0) return { ok: false, bucket, retryAfterMs: undefined }
    if (bucket.windowMs === undefined)
      return (budgets.get(bucket.key) ?? 0) < bucket.max ? undefined : { ok: false, bucket, retryAfterMs: undefined }
    const window = windows.get(bucket.key)
    if (window === undefined || window.used < bucket.max) return undefined
    // the oldest of the last N is where the next one would go
    const freeAt = (window.times[window.next] ?? 0) + bucket.windowMs
    return freeAt <= now ? undefined : { ok: false, bucket, retryAfterMs: freeAt - now }
  }

  function take(bucket: Bucket, now: number): void {
    if (bucket.windowMs === undefined) {
      budgets.set(bucket.key, (budgets.get(bucket.key) ?? 0) + 1)
      return
    }
    const window = windows.get(bucket.key) ?? { times: new Float64Array(bucket.max), next: 0, used: 0 }
    windows.set(bucket.key, window)
    window.times[window.next] = now
    window.next = (window.next + 1) % bucket.max
    window.used = Math.min(window.used + 1, bucket.max)
  }

  return {
    take(buckets) {
      const now = clock.now()
      for (const bucket of buckets) {
        const refused = refusal(bucket, now)
        if (refused !== undefined) return refused
      }
      for (const bucket of buckets) take(bucket, now)
      return { ok: true }
    },
  }
}
