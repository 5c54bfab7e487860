import { AsyncLocalStorage } from 'node:async_hooks'
import { scopedKey } from '../call/scope.ts'
import type { ValueStore } from '../define/value-store.ts'
import type { AdminItem, AdminStore } from '../ports/administration.ts'
import type { CacheStore } from '../ports/cache.ts'
import { type Clock, systemClock } from '../ports/clock.ts'
import type { Job, JobStore } from '../ports/jobs.ts'
import type { Stores } from '../ports/stores.ts'
import { memoryApprovals } from './approvals.ts'
import { type MemoryAudit, memoryAudit } from './audit.ts'
import { memoryCalls } from './calls.ts'
import { openDatabase } from './database.ts'
import { createLedger } from './ledger.ts'
import { memoryLimits } from './limits.ts'
import { memoryNotices } from './notices.ts'
import { memoryRuns } from './runs.ts'
import { sweepPeriodically } from './sweep-periodically.ts'

export type MemoryOptions = {
  readonly clock?: Clock
  /** Statements that create the tables of transactions. */
  readonly schema?: readonly string[]
  /** How many audit records are kept before the oldest are dropped. */
  readonly auditRecords?: number
  readonly cacheEntries?: number
}

/**
 * Stores in the memory of this process. They keep every promise of a store except that nothing
 * survives the process.
 *
 * @example
 * const runtime = createRuntime({ tools: [weather], stores: memoryStores() })
 */
export function memoryStores(options: MemoryOptions = {}): Stores {
  const clock = options.clock ?? systemClock()
  const ledger = createLedger(clock)
  const audit = memoryAudit(options.auditRecords ?? 1_000, clock)
  const jobs = memoryJobs(clock)
  const admin = memoryAdministration(audit, clock)
  return {
    calls: memoryCalls({
      ledger,
      audit,
      jobs,
      clock,
      database: openDatabase(options.schema ?? []),
      admin,
    }),
    approvals: memoryApprovals({ ledger, audit, jobs, clock }),
    jobs,
    limits: memoryLimits(clock),
    runs: memoryRuns({ ledger, audit, jobs, clock }),
    notices: memoryNotices(ledger, clock),
    cache: memoryCache(clock, options.cacheEntries ?? 10_000),
    audit,
    values: memoryValues(clock),
    admin,
  }
}

/** Cached answers in memory; the least recently used are removed first. */
function memoryCache(clock: Clock, maxEntries: number): CacheStore {
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

type Entry = {
  readonly tenant: string
  readonly key: string
  readonly value: string
  readonly expiresAt: number
}

/** Key–value pairs in memory. */
function memoryValues(clock: Clock): ValueStore {
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

  function set(tenant: string, key: string, value: string, ttlMs: number | undefined): void {
    written()
    entries.set(scopedKey(tenant, key), {
      tenant,
      key,
      value,
      expiresAt: ttlMs === undefined ? Number.POSITIVE_INFINITY : clock.now() + ttlMs,
    })
  }

  return {
    get: (tenant, key) => live(scopedKey(tenant, key))?.value,
    set,
    replace(tenant, key, { expected, value, ttlMs }) {
      if (live(scopedKey(tenant, key))?.value !== expected) return false
      set(tenant, key, value, ttlMs)
      return true
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

/**
 * What administrators may change, in memory. Synchronous, so that a claim compares the version in
 * the same step.
 */
type MemoryAdministration = AdminStore & { readonly version: (tenant: string) => number }

function memoryAdministration(audit: MemoryAudit, clock: Clock): MemoryAdministration {
  const items = new Map<string, AdminItem>()
  const versions = new Map<string, number>()
  // A removed item keeps its count: if it began again at 1, an old version could pass as the
  // current one.
  const counts = new Map<string, number>()

  return {
    version: (tenant) => versions.get(tenant) ?? 0,
    get: (tenant, kind, id) => items.get(scopedKey(tenant, kind, id)),
    list: (tenant, kind, { after = '', limit } = { limit: Number.POSITIVE_INFINITY }) =>
      [...items.values()]
        .filter((item) => item.tenant === tenant && item.kind === kind && item.id > after)
        .sort((left, right) => (left.id < right.id ? -1 : 1))
        .slice(0, limit),
    change({ tenant, kind, id, value, expected }, entry) {
      const name = scopedKey(tenant, kind, id)
      const before = items.get(name)
      if (before?.version !== expected) return { kind: 'stale', item: before }
      const version = (counts.get(name) ?? 0) + 1
      const adminVersion = (versions.get(tenant) ?? 0) + 1
      const item =
        value === undefined
          ? undefined
          : { tenant, kind, id, value, version, updatedAt: clock.now() }
      if (item === undefined) items.delete(name)
      else items.set(name, item)
      counts.set(name, version)
      versions.set(tenant, adminVersion)
      audit.append(entry)
      return { kind: 'changed', item, adminVersion }
    },
  }
}

type JobDelivery = { readonly job: Job; readonly tries: number }

const RETRY_MS = 5_000
const MOST_TRIES = 10

/** Jobs in memory. Jobs that come while no worker runs wait for one, at most one per call. */
export function memoryJobs(clock: Clock): JobStore {
  const waiting = new Map<string, JobDelivery>()
  const retries = new Map<JobDelivery, () => void>()
  const running = new Set<Promise<void>>()
  // A job belongs to no request: what a surface stores for the duration of one must not reach it.
  const outsideOfRequests = AsyncLocalStorage.snapshot()
  let worker: ((job: Job) => Promise<void>) | undefined

  function deliver(delivery: JobDelivery): void {
    if (worker === undefined) {
      // One job per call is enough: the worker reads the current row.
      waiting.set(scopedKey(delivery.job.tenant, delivery.job.callId), delivery)
      return
    }
    const run = outsideOfRequests(attempt, worker, delivery)
    running.add(run)
    void run.then(() => running.delete(run))
  }

  async function attempt(
    handle: (job: Job) => Promise<void>,
    { job, tries }: JobDelivery,
  ): Promise<void> {
    try {
      await handle(job)
    } catch {
      // The worker reports its own failures; after the last try the sweep still finds the call.
      if (tries + 1 < MOST_TRIES) retry({ job, tries: tries + 1 })
    }
  }

  function retry(delivery: JobDelivery): void {
    if (worker === undefined) {
      deliver(delivery)
      return
    }
    const cancel = clock.after(RETRY_MS, () => {
      retries.delete(delivery)
      deliver(delivery)
    })
    retries.set(delivery, cancel)
  }

  // A pending retry timer would keep the process alive after the worker has stopped.
  function shelve(): void {
    for (const [delivery, cancel] of retries) {
      cancel()
      deliver(delivery)
    }
    retries.clear()
  }

  return {
    enqueue(job, delayMs) {
      if (delayMs > 0) clock.after(delayMs, () => deliver({ job, tries: 0 }))
      else queueMicrotask(() => deliver({ job, tries: 0 }))
    },
    work(handle) {
      worker = handle
      const found = [...waiting.values()]
      waiting.clear()
      for (const delivery of found) deliver(delivery)
      return async () => {
        if (worker === handle) worker = undefined
        if (worker === undefined) shelve()
        await Promise.all(running)
      }
    },
  }
}
