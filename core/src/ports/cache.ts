import type { Maybe } from '../call/maybe.ts'

/** Answers of reads. Losing an entry costs time, never truth. */
export type CacheStore = {
  readonly get: (key: string) => Maybe<string | undefined>
  readonly set: (key: string, value: string, ttlMs: number) => Maybe<void>
}
