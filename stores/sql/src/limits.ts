import type { Bucket, LimitStore, Taken } from '@surehand/core/ports'
import { sha256 } from '@surehand/core/worker-entry'
import type { Database } from './database.ts'
import { defineStep, type Sql } from './step.ts'
import {
  count,
  dropExpired,
  fits,
  retryAfterMs,
  type Window,
  windowOf,
  windowText,
} from './window.ts'

/**
 * Rate limits in the database. The rows are locked in the order of their names, all limits are
 * counted or none, and the database's clock is used.
 */
export function sqlLimits(database: Database): LimitStore {
  return {
    take(buckets) {
      const closed = buckets.find((bucket) => bucket.max === 0)
      if (closed !== undefined) return { ok: false, bucket: closed, retryAfterMs: undefined }
      return database.step(takeStep, { buckets })
    },
  }
}

// A limit without usage needs no row.
const EMPTY_MS = 60_000

type Held = { readonly bucket: Bucket; readonly keyHash: string; readonly state: string }

export const takeStep = defineStep(
  'limits.take',
  { mode: 'durable', statements: 'many' },
  async (sql, { buckets }: { readonly buckets: readonly Bucket[] }): Promise<Taken> => {
    const { held, now } = await lockBuckets(sql, buckets)
    for (const one of held) {
      const refused = refusal(one, now)
      if (refused !== undefined) return refused
    }
    const rows = held.map((one) => countCall(one, now))
    await sql.run(
      `insert into limits (key_hash, state, expires_at) values ${rows.map(() => '(?, ?, ?)').join(', ')}
       on conflict (key_hash) do update set state = excluded.state, expires_at = excluded.expires_at`,
      ...rows.flat(),
    )
    return { ok: true }
  },
)

// The time is read when the last lock is held: a time read earlier could be older than the latest
// count in the row.
async function lockBuckets(
  sql: Sql,
  buckets: readonly Bucket[],
): Promise<{ readonly held: readonly Held[]; readonly now: number }> {
  const byHash = new Map(buckets.map((bucket) => [sha256(bucket.key), bucket]))
  const names = [...byHash.keys()].sort()
  const rows = await sql.all(
    `insert into limits (key_hash, state, expires_at) values ${names.map(() => "(?, '', {now} + ?)").join(', ')}
     on conflict (key_hash) do update set state = limits.state returning key_hash, state, {now} as now`,
    // A rejected call may leave an empty row, which need not outlive its window.
    ...names.flatMap((name) => [name, byHash.get(name)?.windowMs ?? EMPTY_MS]),
  )
  const held = rows.map((row) => ({
    bucket: byHash.get(String(row.key_hash)) as Bucket,
    keyHash: String(row.key_hash),
    state: String(row.state),
  }))
  return { held, now: Math.max(...rows.map((row) => Number(row.now))) }
}

function refusal({ bucket, state }: Held, now: number): Taken | undefined {
  if (bucket.windowMs === undefined)
    return Number(state) < bucket.max ? undefined : { ok: false, bucket, retryAfterMs: undefined }
  const window = current(bucket.windowMs, bucket.max, state, now)
  return fits(window, bucket.max)
    ? undefined
    : { ok: false, bucket, retryAfterMs: retryAfterMs(window, now) }
}

function countCall(
  { bucket, keyHash, state }: Held,
  now: number,
): readonly [string, string, number | null] {
  if (bucket.windowMs === undefined) return [keyHash, String(Number(state) + 1), null]
  const window = count(current(bucket.windowMs, bucket.max, state, now), now)
  return [keyHash, windowText(window), now + 2 * bucket.windowMs]
}

function current(windowMs: number, max: number, state: string, now: number): Window {
  return dropExpired(windowOf(state, { windowMs, max }), now)
}
