import type { Clock } from '../ports/clock.ts'
import type { Bucket, LimitStore, Taken } from '../ports/limits.ts'
import { sweepPeriodically } from './sweep-periodically.ts'

/** The calls of one bucket by their millisecond, oldest first from `head`. */
type Window = { times: number[]; counts: number[]; head: number; used: number; lengthMs: number }

/**
 * Rate limits in memory, with exact sliding windows: a window never holds more than its maximum,
 * and never refuses before that.
 */
export function memoryLimits(clock: Clock): LimitStore {
  const windows = new Map<string, Window>()
  const budgets = new Map<string, number>()
  // An empty window equals no window, so it is removed. Budgets never refill and are never removed.
  const opened = sweepPeriodically(() => {
    for (const [key, window] of windows)
      if ((window.times.at(-1) ?? 0) <= clock.now() - window.lengthMs) windows.delete(key)
    return windows.size
  })

  function refusal(bucket: Bucket, now: number): Taken | undefined {
    if (bucket.max === 0) return { ok: false, bucket, retryAfterMs: undefined }
    if (bucket.windowMs === undefined)
      return (budgets.get(bucket.key) ?? 0) < bucket.max
        ? undefined
        : { ok: false, bucket, retryAfterMs: undefined }
    const window = windows.get(bucket.key)
    if (window === undefined) return undefined
    forget(window, now - bucket.windowMs)
    if (window.used < bucket.max) return undefined
    return {
      ok: false,
      bucket,
      retryAfterMs: (window.times[window.head] ?? now) + bucket.windowMs - now,
    }
  }

  function take(bucket: Bucket, now: number): void {
    if (bucket.windowMs === undefined) {
      budgets.set(bucket.key, (budgets.get(bucket.key) ?? 0) + 1)
      return
    }
    let window = windows.get(bucket.key)
    if (window === undefined) {
      opened()
      window = { times: [], counts: [], head: 0, used: 0, lengthMs: 0 }
      windows.set(bucket.key, window)
    }
    window.lengthMs = Math.max(window.lengthMs, bucket.windowMs)
    count(window, now)
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

function count(window: Window, now: number): void {
  const last = window.times.length - 1
  if (last >= window.head && window.times[last] === now)
    window.counts[last] = (window.counts[last] ?? 0) + 1
  else {
    window.times.push(now)
    window.counts.push(1)
  }
  window.used++
}

function forget(window: Window, until: number): void {
  while (window.head < window.times.length && (window.times[window.head] ?? 0) <= until)
    window.used -= window.counts[window.head++] ?? 0
  if (window.head < 1_024 || window.head * 2 < window.times.length) return
  window.times = window.times.slice(window.head)
  window.counts = window.counts.slice(window.head)
  window.head = 0
}
