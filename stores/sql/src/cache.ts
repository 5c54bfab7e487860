import type { CacheStore } from '@surehand/core/ports'
import { sha256 } from '@surehand/core/worker-entry'
import type { Database } from './database.ts'
import { defineStep } from './step.ts'

/** Cached answers of reads, shared by all nodes. */
export function sqlCache(database: Database): CacheStore {
  return {
    get: (key) => database.step(getCached, { keyHash: sha256(key) }),
    set: (key, value, ttlMs) =>
      database.step(setCached, { keyHash: sha256(key), value, ttlMs: Math.round(ttlMs) }),
  }
}

export const getCached = defineStep(
  'cache.get',
  { mode: 'read', statements: 'one' },
  async (sql, { keyHash }: { readonly keyHash: string }) => {
    const row = await sql.get(
      'select value from cache where key_hash = ? and expires_at > {now}',
      keyHash,
    )
    return row === undefined ? undefined : String(row.value)
  },
)

export const setCached = defineStep(
  'cache.set',
  { mode: 'lazy', statements: 'one' },
  async (
    sql,
    {
      keyHash,
      value,
      ttlMs,
    }: { readonly keyHash: string; readonly value: string; readonly ttlMs: number },
  ) => {
    await sql.run(
      `insert into cache (key_hash, value, expires_at) values (?, ?, {now} + ?)
       on conflict (key_hash) do update set value = excluded.value, expires_at = excluded.expires_at`,
      keyHash,
      value,
      ttlMs,
    )
  },
)
