import { scopedKey } from '../call/scope.ts'
import type { ValueStore } from '../define/value-store.ts'
import type { Clock } from '../ports/clock.ts'
import { sweepPeriodically } from './sweep-periodically.ts'

type Entry = {
  readonly tenant: string
  readonly key: string
  readonly value: string
  readonly expiresAt: number
}

/** Key–value pairs in memory. */
export function memoryValues(clock: Clock): ValueStore {
  const entries = new Map<string, Entry>()

  function live(name: string): Entry | undefined {
    const entry = entries.get(name)
    if (entry === undefined || entry.expiresAt > clock.now()) return entry
    entries.delete(name)
    return undefined
  }

  // Expired entries that are never read again would otherwise stay for ever.
  const written = sweepPeriodically(() => {
    for (const name of entries.keys()) live(name)
    return entries.size
  })

  return {
    get: (tenant, key) => live(scopedKey(tenant, key))?.value,
    set(tenant, key, value, ttlMs) {
      written()
      entries.set(scopedKey(tenant, key), {
        tenant,
        key,
        value,
        expiresAt: ttlMs === undefined ? Number.POSITIVE_INFINITY : clock.now() + ttlMs,
      })
    },
    delete: (tenant, key) =>
      live(scopedKey(tenant, key)) !== undefined && entries.delete(scopedKey(tenant, key)),
    list: (tenant, prefix) =>
      [...entries.keys()]
        .flatMap((name) => live(name) ?? [])
        .filter((entry) => entry.tenant === tenant && entry.key.startsWith(prefix))
        .map(({ key, value }) => ({ key, value }))
        .sort((left, right) => (left.key < right.key ? -1 : 1)),
  }
}
