import type { Bucket, LimitStore, Taken } from '@surehand/core/ports'
import { sha256 } from '@surehand/core/worker-entry'
import type { Database } from './database.ts'
import { defineStep, type Sql } from './step.ts'

/**
 * How many calls fell into which time slot, oldest first. A slot counts until its last moment has
 * left the window, so a limit is never exceeded.
 */
type Window = {
  readonly windowMs: number
  readonly slotMs: number
  readonly slots: readonly Slot[]
}
type Slot = { readonly from: number; readonly count: number }

// A small limit is counted to the millisecond. A large one is counted in slots, and the slot that
// is leaving costs at most a 64th of the limit.
const MOST_SLOTS = 64

function windowOf(
  text: string,
  { windowMs, max }: { readonly windowMs: number; readonly max: number },
): Window {
  const slotMs = max <= MOST_SLOTS ? 1 : Math.max(1, Math.floor(windowMs / MOST_SLOTS))
  const slots = text === '' ? [] : text.split(',').map((slot) => slotOf(slot))
  return { windowMs, slotMs, slots }
}

function slotOf(text: string): Slot {
  const [from, count] = text.split(':')
  return { from: Number(from), count: Number(count) }
}

function windowText({ slots }: Window): string {
  return slots.map(({ from, count }) => `${from}:${count}`).join(',')
}

/** The slots without those that have left the window. */
function dropExpired(window: Window, now: number): Window {
  return { ...window, slots: window.slots.filter((slot) => leavesAt(slot, window) > now) }
}

function fits({ slots }: Window, max: number): boolean {
  return slots.reduce((sum, slot) => sum + slot.count, 0) < max
}

/** When the oldest slot leaves the window. */
function retryAfterMs(window: Window, now: number): number {
  const [oldest] = window.slots
  return oldest === undefined ? 0 : leavesAt(oldest, window) - now
}

/** The slots with one more call now. Time never goes back, whatever the clock does. */
function count(window: Window, now: number): Window {
  const last = window.slots.at(-1)
  const from = Math.max(Math.floor(now / window.slotMs) * window.slotMs, last?.from ?? 0)
  if (last?.from === from)
    return { ...window, slots: [...window.slots.slice(0, -1), { from, count: last.count + 1 }] }
  return { ...window, slots: [...window.slots, { from, count: 1 }] }
}

function leavesAt(slot: Slot, window: Window): number {
  return slot.from + window.slotMs - 1 + window.windowMs
}

/**
 * Rate limits in the database. The rows are locked in the order of their names, all limits of a call
 * are counted or none, and the database's clock is used. Calls that ask in one turn of the event
 * loop share a transaction.
 */
export function sqlLimits(database: Database): LimitStore {
  const waiting: WaitingCall[] = []

  function takeWaiting(): void {
    const calls = waiting.splice(0, MOST_TOGETHER)
    if (waiting.length > 0) queueMicrotask(takeWaiting)
    database.step(takeStep, { calls: calls.map(({ buckets }) => buckets) }).then(
      (taken) => {
        // erased: there is an answer for each call
        for (const [index, { resolve }] of calls.entries()) resolve(taken[index] as Taken)
      },
      (error: unknown) => {
        for (const { reject } of calls) reject(error)
      },
    )
  }

  return {
    take(buckets) {
      const closed = buckets.find((bucket) => bucket.max === 0)
      if (closed !== undefined) return { ok: false, bucket: closed, retryAfterMs: undefined }
      return new Promise((resolve, reject) => {
        waiting.push({ buckets, resolve, reject })
        if (waiting.length === 1) queueMicrotask(takeWaiting)
      })
    },
  }
}

type WaitingCall = {
  readonly buckets: readonly Bucket[]
  readonly resolve: (taken: Taken) => void
  readonly reject: (error: unknown) => void
}

// A statement with too many parameters would be refused, and its rows are locked for its time.
const MOST_TOGETHER = 100
// A limit without usage needs no row.
const EMPTY_MS = 60_000

/** A locked row, and what was counted in it meanwhile. */
type Held = {
  readonly keyHash: string
  state: string
  /** What the state says, as soon as a call has asked; written back when all calls are counted. */
  window: Window | undefined
  expiresAt: number | null
  isChanged: boolean
}

/** Counts several calls, one after the other; returns whether each was within all its limits. */
export const takeStep = defineStep(
  'limits.take',
  { mode: 'durable', statements: 'many' },
  async (
    sql,
    { calls }: { readonly calls: readonly (readonly Bucket[])[] },
  ): Promise<readonly Taken[]> => {
    const { held, now } = await lockBuckets(sql, calls.flat())
    const taken = calls.map((buckets) => takeAll(buckets, held, now))
    const changed = [...held.values()].filter(({ isChanged }) => isChanged)
    if (changed.length > 0)
      await sql.run(
        `insert into limits (key_hash, state, expires_at) values ${changed.map(() => '(?, ?, ?)').join(', ')}
         on conflict (key_hash) do update set state = excluded.state, expires_at = excluded.expires_at`,
        ...changed.flatMap((row) => [row.keyHash, stateOf(row), row.expiresAt]),
      )
    return taken
  },
)

/** Rows by the keys of their buckets. */
type HeldRows = ReadonlyMap<string, Held>

function takeAll(buckets: readonly Bucket[], rows: HeldRows, now: number): Taken {
  // A key that is there twice is counted once.
  const pairs = [...new Map(buckets.map((bucket) => [bucket.key, bucket])).values()].map(
    // erased: the rows of all buckets are locked
    (bucket) => ({ bucket, held: rows.get(bucket.key) as Held }),
  )
  for (const { bucket, held } of pairs) {
    const refused = refusal(bucket, held, now)
    if (refused !== undefined) return refused
  }
  for (const { bucket, held } of pairs) countCall(bucket, held, now)
  return { ok: true }
}

// The time is read when the last lock is held: a time read earlier could be older than the latest
// count in the row.
async function lockBuckets(
  sql: Sql,
  buckets: readonly Bucket[],
): Promise<{ readonly held: HeldRows; readonly now: number }> {
  const byKey = new Map(buckets.map((bucket) => [bucket.key, bucket]))
  const byHash = new Map([...byKey.values()].map((bucket) => [sha256(bucket.key), bucket]))
  const names = [...byHash.keys()].sort()
  const rows = await sql.all(
    `insert into limits (key_hash, state, expires_at) values ${names.map(() => "(?, '', {now} + ?)").join(', ')}
     on conflict (key_hash) do update set state = limits.state returning key_hash, state, {now} as now`,
    // A rejected call may leave an empty row, which need not outlive its window.
    ...names.flatMap((name) => [name, byHash.get(name)?.windowMs ?? EMPTY_MS]),
  )
  const held = new Map(
    rows.map(({ key_hash, state }) => {
      const keyHash = String(key_hash)
      const row: Held = {
        keyHash,
        state: String(state),
        window: undefined,
        expiresAt: null,
        isChanged: false,
      }
      return [byHash.get(keyHash)?.key ?? '', row]
    }),
  )
  return { held, now: Math.max(...rows.map((row) => Number(row.now))) }
}

function refusal(bucket: Bucket, held: Held, now: number): Taken | undefined {
  const { windowMs, max } = bucket
  if (windowMs === undefined)
    return Number(held.state) < max ? undefined : { ok: false, bucket, retryAfterMs: undefined }
  const window = currentWindow(held, { windowMs, max }, now)
  return fits(window, max)
    ? undefined
    : { ok: false, bucket, retryAfterMs: retryAfterMs(window, now) }
}

function countCall({ windowMs, max }: Bucket, held: Held, now: number): void {
  held.isChanged = true
  if (windowMs === undefined) {
    held.state = String(Number(held.state) + 1)
    return
  }
  held.window = count(currentWindow(held, { windowMs, max }, now), now)
  held.expiresAt = now + 2 * windowMs
}

// Read once for all calls that are counted together: the text of a large window takes longer to read
// and to write than all else that a call does here.
function currentWindow(
  held: Held,
  limit: { readonly windowMs: number; readonly max: number },
  now: number,
): Window {
  held.window ??= dropExpired(windowOf(held.state, limit), now)
  return held.window
}

function stateOf({ window, state }: Held): string {
  return window === undefined ? state : windowText(window)
}
