import type { CacheStore } from '../ports/cache.ts'
import type { Clock } from '../ports/clock.ts'

/** Answers in memory; the least recently used go first. */
export function memoryCache(clock: Clock, maxEntries: number): CacheStore {
  const entries = new Map<string, { readonly value: string; readonly expiresAt: number }>()
  return {
    get(key) {
      const entry = entries.get(key)
      if (entry === undefined) return undefined
      entries.delete(key)
      if (entry.expiresAt <= clock.now()) return undefined
      // a Map keeps the order of insertion: put last, it is the last to go
      entries.set(key, entry)
      return entry.value
    },
    set(key, value, ttlMs) {
      entries.delete(key)
      entries.set(key, { value, expiresAt: clock.now() + ttlMs })
      if (entries.size <= maxEntries) return
      const [oldest] = entries.keys()
      if (oldest !== undefined) entries.delete(oldest)
    },
  }
}
