import { ToolError } from '@surehand/core'
import type { AdminItem, AdminKind, AdminStore, Clock } from '@surehand/core/ports'
import type { z } from 'zod'
import {
  type LinkRecord,
  linkRecord,
  PrincipalRecord,
  TenantRecord,
  type TokenRecord,
  tokenRecord,
} from './records.ts'

/** A record with the version that a change of it must name. */
export type VersionedRecord<T> = { readonly record: T; readonly version: number }

/**
 * Tenants, principals and tokens, read from the store once as long as nothing changes in the
 * tenant.
 */
export type Directory = {
  /** False where the tenant does not exist or is disabled. */
  readonly isOpen: (tenant: string) => Promise<boolean>
  readonly principal: (tenant: string, id: string) => Promise<PrincipalRecord | undefined>
  readonly token: (tenant: string, id: string) => Promise<TokenRecord | undefined>
  /** Until when, in ticks, the cached data of a tenant may be used without asking the store. */
  readonly freshUntil: (tenant: string) => number
  /** Never cached, because a link works only once. */
  readonly link: (tenant: string, id: string) => Promise<VersionedRecord<LinkRecord> | undefined>
}

export type DirectoryOptions = {
  readonly store: AdminStore
  readonly clock: Clock
  /** The tenant whose administrators manage the list of tenants. */
  readonly home: string
}

// A revocation on any node takes effect within a second, of which half is for the query itself.
const FRESH_MS = 500
// Requests with invented names must not fill the memory.
const MAX_TENANTS = 10_000
const MAX_ITEMS = 50_000

type TenantSnapshot = {
  readonly version: number
  readonly ticks: number
  readonly items: Map<string, unknown>
}

export function createDirectory({ store, clock, home }: DirectoryOptions): Directory {
  const snapshots = new Map<string, TenantSnapshot>()
  const refreshing = new Map<string, Promise<TenantSnapshot>>()

  async function refreshSnapshot(tenant: string): Promise<TenantSnapshot> {
    const ticks = clock.ticks()
    // The version is read first, so that everything read afterwards is at least as new.
    const version = await store.version(tenant)
    const before = snapshots.get(tenant)
    const snapshot = {
      version,
      ticks,
      items: before?.version === version ? before.items : new Map<string, unknown>(),
    }
    if (snapshots.size >= MAX_TENANTS) snapshots.clear()
    snapshots.set(tenant, snapshot)
    return snapshot
  }

  function refreshOnce(tenant: string): Promise<TenantSnapshot> {
    const refresh =
      refreshing.get(tenant) ?? refreshSnapshot(tenant).finally(() => refreshing.delete(tenant))
    refreshing.set(tenant, refresh)
    return refresh
  }

  // Throws where the store is unavailable, so that no caller is accepted with outdated data.
  async function snapshotOf(tenant: string): Promise<TenantSnapshot> {
    const known = snapshots.get(tenant)
    return known !== undefined && clock.ticks() - known.ticks < FRESH_MS
      ? known
      : refreshOnce(tenant)
  }

  async function readCached<T>(
    tenant: string,
    kind: AdminKind,
    id: string,
    schema: z.ZodType<T>,
  ): Promise<T | undefined> {
    const { items } = await snapshotOf(tenant)
    const key = `${kind}:${id}`
    const known = items.get(key)
    // The cache is untyped, but every value under a key of this kind was parsed with this schema.
    if (known !== undefined || items.has(key)) return known as T | undefined
    const item = await store.get(tenant, kind, id)
    const record = item === undefined ? undefined : readRecord(item, schema)
    // The home tenant needs no record and is read with every request, so its absence is cached.
    // Invented names are not.
    if (items.size < MAX_ITEMS && (record !== undefined || id === home)) items.set(key, record)
    return record
  }

  return {
    async isOpen(tenant) {
      const record = await readCached(home, 'tenant', tenant, TenantRecord)
      return record === undefined ? tenant === home : !record.disabled
    },
    principal: (tenant, id) => readCached(tenant, 'principal', id, PrincipalRecord),
    token: (tenant, id) => readCached(tenant, 'token', id, tokenRecord()),
    freshUntil: (tenant) => (snapshots.get(tenant)?.ticks ?? Number.NEGATIVE_INFINITY) + FRESH_MS,
    async link(tenant, id) {
      const item = await store.get(tenant, 'credential', linkItemId(id))
      return item === undefined
        ? undefined
        : { record: readRecord(item, linkRecord()), version: item.version }
    },
  }
}

export function linkItemId(id: string): string {
  return `link:${id}`
}

/**
 * Parses a stored record. Throws for an unreadable one, which must not count as absent or as one
 * with fewer limits.
 */
export function readRecord<T>(item: AdminItem, schema: z.ZodType<T>): T {
  if (item.unopened !== undefined) throw item.unopened
  const parsed = schema.safeParse(JSON.parse(item.value))
  if (parsed.success) return parsed.data
  throw new ToolError(
    'TOOL_CONFIGURATION_ERROR',
    `The stored ${item.kind} "${item.id}" cannot be read.`,
  )
}
