import type { Maybe } from '../call/maybe.ts'

/** `windowMs` undefined: a budget, a counter that never refills. */
export type Bucket = {
  readonly key: string
  readonly max: number
  readonly windowMs: number | undefined
}

export type Taken =
  | { readonly ok: true }
  | {
      readonly ok: false
      readonly bucket: Bucket /** Undefined: waiting won't help. */
      readonly retryAfterMs: number | undefined
    }

export type LimitStore = {
  /** All buckets or none, in one step: no sliding window ever holds more than its maximum. */
  readonly take: (buckets: readonly Bucket[]) => Maybe<Taken>
}
