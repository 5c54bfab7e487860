import type { Clock } from '@surehand/core'

export type EdgeOptions = { readonly perSecond: number; readonly burst: number }

/** What is left for a credential after this request. */
export type EdgeState = { readonly isOver: boolean; readonly limit: number; readonly remaining: number; readonly resetSeconds: number }

export type EdgeLimit = { readonly take: (credential: string) => EdgeState }

type Bucket = { tokens: number; ticks: number }

// beyond this, those who have been quiet long enough to be full again are forgotten
const MOST_BUCKETS = 20_000

/** A bucket a credential, in this process: it keeps one client from drowning the others, and is no promise about numbers. */
export function createEdgeLimit({ perSecond, burst }: EdgeOptions, clock: Clock): EdgeLimit {
  const buckets = new Map<string, Bucket>()

  function forgetQuiet(now: number): void {
    const fullAfterMs = (burst / perSecond) * 1_000
    for (const [name, { ticks }] of buckets) if (now - ticks > fullAfterMs) buckets.delete(name)
    if (buckets.size > MOST_BUCKETS) buckets.clear()
  }

  return {
    take(credential) {
      const now = clock.ticks()
      const bucket = buckets.get(credential) ?? { tokens: burst, ticks: now }
      if (buckets.size > MOST_BUCKETS) forgetQuiet(now)
      buckets.set(credential, bucket)
      bucket.tokens = Math.min(burst, bucket.tokens + ((now - bucket.ticks) / 1_000) * perSecond)
      bucket.ticks = now
      const isOver = bucket.tokens < 1
      if (!isOver) bucket.tokens -= 1
      const missing = isOver ? 1 - bucket.tokens : burst - bucket.tokens
      return { isOver, limit: burst, remaining: Math.floor(bucket.tokens), resetSeconds: Math.ceil(missing / perSecond) }
    },
  }
}
