import type { CacheStore } from '../ports/cache.ts'
import type { Clock } from '../ports/clock.ts'

/** Cached answers in memory; the least recently used are removed first. */
export function memoryCache(clock: Clock, maxEntries: number): CacheStore {
  const entries = new Map<string, { readonly value: string; readonly expiresAt: number }>()
  return {
    get(key) {
      const entry = entries.get(key)
      if (entry === undefined) return undefined
      entries.delete(key)
      if (entry.expiresAt <= clock.now()) return undefined
      // A Map keeps the order of insertion: inserted last, the entry is removed last.
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
