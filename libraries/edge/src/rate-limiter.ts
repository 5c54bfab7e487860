import type { Clock } from '@surehand/core/ports'

/** A token bucket: `burst` requests at once, refilled at `perSecond`. */
export type RateLimit = { readonly perSecond: number; readonly burst: number }

/** What is left of the limit of one name. */
export type RateLimitState = {
  readonly isExceeded: boolean
  readonly limit: number
  readonly remaining: number
  readonly resetSeconds: number
}

export type RateLimiter = {
  /** Takes one request from the name's bucket, unless the bucket is empty. */
  readonly take: (name: string) => RateLimitState
  /**
   * Takes one also from an empty bucket, down to a bounded debt, so that requests which arrive at
   * the same time all count. `cost`: how many requests it counts for; default: 1.
   */
  readonly charge: (name: string, cost?: number) => RateLimitState
  /** What `take` would answer, without taking; undefined while the bucket is full. */
  readonly peek: (name: string) => RateLimitState | undefined
  /** True while nothing was ever taken. */
  readonly isUnused: () => boolean
}

type Bucket = { tokens: number; ticks: number }

const MAX_DEBT_BURSTS = 5
// Beyond this number, the bucket that was unused longest is dropped.
const MAX_BUCKETS = 20_000

/**
 * One bucket for each name, in the memory of this process. It stops one client from crowding out
 * the others; limits that hold over all nodes are the contract's (`limits`).
 */
export function createRateLimiter({ perSecond, burst }: RateLimit, clock: Clock): RateLimiter {
  const buckets = new Map<string, Bucket>()
  let newest: string | undefined

  function findOrAdd(name: string): Bucket {
    const known = buckets.get(name)
    if (known !== undefined && name === newest) return known
    // Removed and added again, so that the first entry of the map is the one that was unused
    // longest.
    const bucket = known ?? { tokens: burst, ticks: clock.ticks() }
    buckets.delete(name)
    buckets.set(name, bucket)
    newest = name
    if (buckets.size > MAX_BUCKETS) buckets.delete(buckets.keys().next().value as string)
    return bucket
  }

  function refill(bucket: Bucket): void {
    const now = clock.ticks()
    bucket.tokens = Math.min(burst, bucket.tokens + ((now - bucket.ticks) / 1_000) * perSecond)
    bucket.ticks = now
  }

  function stateOf({ tokens }: Bucket, isExceeded: boolean): RateLimitState {
    const missing = isExceeded ? 1 - tokens : burst - tokens
    return {
      isExceeded,
      limit: burst,
      remaining: Math.floor(tokens),
      resetSeconds: Math.ceil(missing / perSecond),
    }
  }

  return {
    take(name) {
      const bucket = findOrAdd(name)
      refill(bucket)
      const isExceeded = bucket.tokens < 1
      if (!isExceeded) bucket.tokens -= 1
      return stateOf(bucket, isExceeded)
    },
    charge(name, cost = 1) {
      const bucket = findOrAdd(name)
      refill(bucket)
      const isExceeded = bucket.tokens < 1
      bucket.tokens = Math.max(-MAX_DEBT_BURSTS * burst, bucket.tokens - cost)
      return stateOf(bucket, isExceeded)
    },
    peek(name) {
      const bucket = buckets.get(name)
      if (bucket === undefined) return undefined
      refill(bucket)
      return bucket.tokens >= burst ? undefined : stateOf(bucket, bucket.tokens < 1)
    },
    isUnused: () => buckets.size === 0,
  }
}

/** The `RateLimit-*` headers of a response. */
export function rateLimitHeaders({
  limit,
  remaining,
  resetSeconds,
}: Omit<RateLimitState, 'isExceeded'>): Readonly<Record<string, string>> {
  return {
    'ratelimit-limit': String(limit),
    'ratelimit-remaining': String(remaining),
    'ratelimit-reset': String(resetSeconds),
  }
}
