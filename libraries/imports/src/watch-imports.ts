import { toToolError } from '@surehand/core/internal'
import { type Clock, sleep } from '@surehand/core/ports'
import { systemCaller } from '@surehand/identity'
import { type ImportsApiOptions, updateDocument } from './change-imports.ts'
import type { ImportRecord } from './import-record.ts'
import type { OpenImport } from './imports.ts'

export type WatchOptions = ImportsApiOptions & {
  readonly clock: Clock
  readonly tenants: () => Promise<readonly string[]>
  readonly onTrouble: (thrown: unknown) => void
}

type Followed = { readonly stop: () => Promise<void>; readonly where: string }

const LOOK_EVERY_MS = 1_000
const LONGEST_FETCH_MS = 30_000

/**
 * Keeps imports up to date: fetches documents again when they are due, and follows sources that
 * announce changes.
 */
export function watchImports(options: WatchOptions): () => Promise<void> {
  const { clock, tenants, imports, onTrouble } = options
  const over = new AbortController()
  const followed = new Map<string, Followed>()
  const busy = new Map<string, Promise<void>>()
  const refetchWhenDue = createRefetch(options, over.signal)
  const reportUnlessStale = ignoreStale(onTrouble)

  // Each tenant on its own: one whose sources hang must not delay the others.
  async function lookAtAll(): Promise<void> {
    const now = await tenants()
    for (const tenant of now) {
      if (busy.has(tenant)) continue
      busy.set(
        tenant,
        lookAtTenant(tenant)
          .catch(onTrouble)
          .finally(() => busy.delete(tenant)),
      )
    }
    await stopFollowing(
      followed,
      (key) => !now.includes((JSON.parse(key) as readonly string[])[0] ?? ''),
    )
  }

  async function lookAtTenant(tenant: string): Promise<void> {
    await imports.load(tenant)
    const there = imports.list(tenant)
    await stopFollowing(followed, (key) => {
      const [whose, name] = JSON.parse(key) as readonly string[]
      return whose === tenant && !there.has(name ?? '')
    })
    for (const [name, one] of there) await watchImport(tenant, name, one).catch(reportUnlessStale)
  }

  async function watchImport(tenant: string, name: string, one: OpenImport): Promise<void> {
    const { record } = one
    if (record === undefined) return
    const kind = imports.loader.kindOf(record.kind)
    if (kind.follow === undefined) return refetchWhenDue(tenant, name, record)
    const key = JSON.stringify([tenant, name])
    const known = followed.get(key)
    // A new document came from this subscription. Another address or other settings need a new one.
    const where = JSON.stringify([record.from, record.settings])
    if (known?.where === where) return
    await known?.stop()
    const source = {
      tenant,
      name,
      settings: record.settings,
      by: systemCaller(tenant),
      signal: over.signal,
    }
    const stop = kind.follow(record.from, source, (document) => {
      updateDocument(options, source.by, name, document).catch(reportUnlessStale)
    })
    followed.set(key, { stop, where })
  }

  async function watch(): Promise<void> {
    while (!over.signal.aborted) {
      await lookAtAll().catch(onTrouble)
      await sleep(clock, LOOK_EVERY_MS, over.signal).catch(() => undefined)
    }
  }

  const watching = watch()
  return async () => {
    over.abort()
    await watching
    await Promise.all(busy.values())
    await Promise.all([...followed.values()].map(({ stop }) => stop()))
  }
}

/**
 * Fetches a document again when its interval has passed. The first look only starts the interval.
 */
function createRefetch(
  options: WatchOptions,
  over: AbortSignal,
): (tenant: string, name: string, record: ImportRecord) => Promise<void> {
  const { clock, imports } = options
  const fetchedTicks = new Map<string, number>()
  return async (tenant, name, { kind, from, settings, refreshSeconds }) => {
    const key = JSON.stringify([tenant, name])
    const last = fetchedTicks.get(key)
    fetchedTicks.set(key, last ?? clock.ticks())
    const isDue = last !== undefined && clock.ticks() - last >= refreshSeconds * 1_000
    if (refreshSeconds === 0 || !isDue) return
    fetchedTicks.set(key, clock.ticks())
    const signal = AbortSignal.any([over, AbortSignal.timeout(LONGEST_FETCH_MS)])
    const source = { tenant, name, settings, by: systemCaller(tenant), signal }
    const document = await imports.loader.kindOf(kind).fetch(from, source)
    await updateDocument(options, source.by, name, document)
  }
}

// Another node stored the same change first.
function ignoreStale(onTrouble: (thrown: unknown) => void): (thrown: unknown) => void {
  return (thrown) => {
    if (toToolError(thrown).details?.source_code !== 'stale_version') onTrouble(thrown)
  }
}

async function stopFollowing(
  followed: Map<string, Followed>,
  isGone: (key: string) => boolean,
): Promise<void> {
  for (const [key, { stop }] of [...followed].filter(([one]) => isGone(one))) {
    followed.delete(key)
    await stop()
  }
}
