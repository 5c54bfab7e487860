import type { Clock } from '@surehand/core/ports'

export type EdgeOptions = { readonly perSecond: number; readonly burst: number }

/** What is left under a name. */
export type EdgeState = {
  readonly isOver: boolean
  readonly limit: number
  readonly remaining: number
  readonly resetSeconds: number
}

export type EdgeLimit = {
  readonly take: (name: string) => EdgeState
  /** Takes also what is not there, up to a debt: of many who come at once, those who were late count too. */
  readonly owe: (name: string) => EdgeState
  /** What `take` would say, without taking; undefined: nothing was taken lately. */
  readonly look: (name: string) => EdgeState | undefined
  /** Was nothing ever taken? */
  readonly isUnused: () => boolean
}

type Bucket = { tokens: number; ticks: number }

// so many times the burst
const MOST_DEBT = 5
// beyond this, whoever was quiet longest is forgotten
const MOST_BUCKETS = 20_000

/** A bucket a name, in this process: it keeps one client from drowning the others, and is no promise about numbers. */
export function createEdgeLimit({ perSecond, burst }: EdgeOptions, clock: Clock): EdgeLimit {
  const buckets = new Map<string, Bucket>()
  let newest: string | undefined

  function bucketOf(name: string): Bucket {
    const known = buckets.get(name)
    if (known !== undefined && name === newest) return known
    // taken out and put back, so that the first of the map is whoever was quiet longest
    const bucket = known ?? { tokens: burst, ticks: clock.ticks() }
    buckets.delete(name)
    buckets.set(name, bucket)
    newest = name
    if (buckets.size > MOST_BUCKETS) buckets.delete(buckets.keys().next().value as string)
    return bucket
  }

  function refill(bucket: Bucket): void {
    const now = clock.ticks()
    bucket.tokens = Math.min(burst, bucket.tokens + ((now - bucket.ticks) / 1_000) * perSecond)
    bucket.ticks = now
  }

  function stateOf({ tokens }: Bucket, isOver: boolean): EdgeState {
    const missing = isOver ? 1 - tokens : burst - tokens
    return {
      isOver,
      limit: burst,
      remaining: Math.floor(tokens),
      resetSeconds: Math.ceil(missing / perSecond),
    }
  }

  return {
    take(name) {
      const bucket = bucketOf(name)
      refill(bucket)
      const isOver = bucket.tokens < 1
      if (!isOver) bucket.tokens -= 1
      return stateOf(bucket, isOver)
    },
    owe(name) {
      const bucket = bucketOf(name)
      refill(bucket)
      const isOver = bucket.tokens < 1
      bucket.tokens = Math.max(-MOST_DEBT * burst, bucket.tokens - 1)
      return stateOf(bucket, isOver)
    },
    look(name) {
      const bucket = buckets.get(name)
      if (bucket === undefined) return undefined
      refill(bucket)
      return bucket.tokens >= burst ? undefined : stateOf(bucket, bucket.tokens < 1)
    },
    isUnused: () => buckets.size === 0,
  }
}
