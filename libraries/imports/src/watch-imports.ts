import { toToolError } from '@surehand/core/internal'
import { type Clock, sleep } from '@surehand/core/ports'
import { houseCaller } from '@surehand/identity'
import { type ImportDeskOptions, takeDocument } from './import-desk.ts'
import type { ImportRecord } from './import-record.ts'
import type { OpenImport } from './imports.ts'

export type WatchOptions = ImportDeskOptions & {
  readonly clock: Clock
  readonly tenants: () => Promise<readonly string[]>
  readonly onTrouble: (thrown: unknown) => void
}

type Followed = { readonly stop: () => Promise<void>; readonly where: string }

const LOOK_EVERY_MS = 1_000
const LONGEST_FETCH_MS = 30_000

/** Looks after what was brought: documents are fetched again when it is time, servers that tell of their changes are listened to. */
export function watchImports(options: WatchOptions): () => Promise<void> {
  const { clock, tenants, imports, onTrouble } = options
  const over = new AbortController()
  const followed = new Map<string, Followed>()
  const fetchedTicks = new Map<string, number>()
  const busy = new Map<string, Promise<void>>()

  const unlessFirst = unlessStale(onTrouble)

  // each tenant by itself: one whose sources hang must not keep the others waiting
  async function look(): Promise<void> {
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
    await unfollow(
      followed,
      (key) => !now.includes((JSON.parse(key) as readonly string[])[0] ?? ''),
    )
  }

  async function lookAtTenant(tenant: string): Promise<void> {
    await imports.load(tenant)
    const there = imports.list(tenant)
    await unfollow(followed, (key) => {
      const [whose, name] = JSON.parse(key) as readonly string[]
      return whose === tenant && !there.has(name ?? '')
    })
    for (const [name, one] of there) await lookAfter(tenant, name, one).catch(unlessFirst)
  }

  async function lookAfter(tenant: string, name: string, one: OpenImport): Promise<void> {
    const { record } = one
    if (record === undefined) return
    const kind = imports.workshop.kindOf(record.kind)
    if (kind.follow === undefined) return refetchWhenDue(tenant, name, record)
    const key = JSON.stringify([tenant, name])
    const known = followed.get(key)
    // a new document is what it told of itself; another place or other settings are somebody else to listen to
    const where = JSON.stringify([record.from, record.settings])
    if (known?.where === where) return
    await known?.stop()
    const source = {
      tenant,
      name,
      settings: record.settings,
      by: houseCaller(tenant),
      signal: over.signal,
    }
    const stop = kind.follow(record.from, source, (document) => {
      takeDocument(options, source.by, name, document).catch(unlessFirst)
    })
    followed.set(key, { stop, where })
  }

  async function refetchWhenDue(tenant: string, name: string, record: ImportRecord): Promise<void> {
    const key = JSON.stringify([tenant, name])
    const last = fetchedTicks.get(key)
    fetchedTicks.set(key, last ?? clock.ticks())
    if (
      record.refreshSeconds === 0 ||
      last === undefined ||
      clock.ticks() - last < record.refreshSeconds * 1_000
    )
      return
    fetchedTicks.set(key, clock.ticks())
    const signal = AbortSignal.any([over.signal, AbortSignal.timeout(LONGEST_FETCH_MS)])
    const source = { tenant, name, settings: record.settings, by: houseCaller(tenant), signal }
    const document = await imports.workshop.kindOf(record.kind).fetch(record.from, source)
    await takeDocument(options, source.by, name, document)
  }

  async function watch(): Promise<void> {
    while (!over.signal.aborted) {
      await look().catch(onTrouble)
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

// another node saw the same change and wrote it down first
function unlessStale(onTrouble: (thrown: unknown) => void): (thrown: unknown) => void {
  return (thrown) => {
    if (toToolError(thrown).details?.source_code !== 'stale_version') onTrouble(thrown)
  }
}

async function unfollow(
  followed: Map<string, Followed>,
  isGone: (key: string) => boolean,
): Promise<void> {
  for (const [key, { stop }] of [...followed].filter(([one]) => isGone(one))) {
    followed.delete(key)
    await stop()
  }
}
