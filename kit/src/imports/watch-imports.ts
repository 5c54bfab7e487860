import { type Clock, sleep, toToolError } from '@surehand/core'
import { houseCaller } from '../identity/identity-desk.ts'
import { type ImportDeskOptions, takeDocument } from './import-desk.ts'
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

  // another node saw the same change and wrote it down first
  function unlessFirst(thrown: unknown): void {
    if (toToolError(thrown).details?.source_code !== 'stale_version') onTrouble(thrown)
  }

  async function look(): Promise<void> {
    const there = new Set<string>()
    for (const tenant of await tenants()) {
      await imports.load(tenant)
      for (const [name, one] of imports.list(tenant)) {
        there.add(JSON.stringify([tenant, name]))
        await lookAfter(tenant, name, one).catch(unlessFirst)
      }
    }
    for (const [key, { stop }] of [...followed].filter(([one]) => !there.has(one))) {
      followed.delete(key)
      await stop()
    }
  }

  async function lookAfter(tenant: string, name: string, one: OpenImport): Promise<void> {
    const kind = imports.workshop.kindOf(one.record.kind)
    if (kind.follow === undefined) return refetchWhenDue(tenant, name, one)
    const key = JSON.stringify([tenant, name])
    const known = followed.get(key)
    // a new document is what it told of itself; another place or other settings are somebody else to listen to
    const where = JSON.stringify([one.record.from, one.record.settings])
    if (known?.where === where) return
    await known?.stop()
    const source = { tenant, name, settings: one.record.settings, by: houseCaller(tenant), signal: over.signal }
    const stop = kind.follow(one.record.from, source, (document) => {
      takeDocument(options, source.by, name, document).catch(unlessFirst)
    })
    followed.set(key, { stop, where })
  }

  async function refetchWhenDue(tenant: string, name: string, { record }: OpenImport): Promise<void> {
    const key = JSON.stringify([tenant, name])
    const last = fetchedTicks.get(key)
    fetchedTicks.set(key, last ?? clock.ticks())
    if (record.refreshSeconds === 0 || last === undefined || clock.ticks() - last < record.refreshSeconds * 1_000) return
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
    await Promise.all([...followed.values()].map(({ stop }) => stop()))
  }
}
