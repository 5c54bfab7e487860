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
export type Kept<T> = { readonly record: T; readonly version: number }

/** Who and what is known in a house, looked up once while nothing changes there. */
export type Directory = {
  /** Undefined: there is no such house, or it is closed. */
  readonly isOpen: (tenant: string) => Promise<boolean>
  readonly principal: (tenant: string, id: string) => Promise<PrincipalRecord | undefined>
  readonly token: (tenant: string, id: string) => Promise<TokenRecord | undefined>
  /** In ticks: what was said of this house by now holds until then without another look. */
  readonly holdsUntil: (tenant: string) => number
  /** Never from memory: it works once. */
  readonly link: (tenant: string, id: string) => Promise<Kept<LinkRecord> | undefined>
}

export type DirectoryOptions = {
  readonly store: AdminStore
  readonly clock: Clock
  /** The house whose administrators keep the list of houses. */
  readonly home: string
}

// a revocation anywhere is noticed within a second: half of it is for the look itself
const FRESH_MS = 500
// a flood of made-up names must not fill the memory
const MOST_TENANTS = 10_000
const MOST_ITEMS = 50_000

type House = {
  readonly version: number
  readonly ticks: number
  readonly items: Map<string, unknown>
}

export function createDirectory({ store, clock, home }: DirectoryOptions): Directory {
  const houses = new Map<string, House>()
  const looking = new Map<string, Promise<House>>()

  async function look(tenant: string): Promise<House> {
    const ticks = clock.ticks()
    // the version first: what is read after it is at least as new
    const version = await store.version(tenant)
    const before = houses.get(tenant)
    const house = {
      version,
      ticks,
      items: before?.version === version ? before.items : new Map<string, unknown>(),
    }
    if (houses.size >= MOST_TENANTS) houses.clear()
    houses.set(tenant, house)
    return house
  }

  function lookOnce(tenant: string): Promise<House> {
    const under = looking.get(tenant) ?? look(tenant).finally(() => looking.delete(tenant))
    looking.set(tenant, under)
    return under
  }

  // out of reach: it throws, so that nobody is let in by what was true once
  async function houseOf(tenant: string): Promise<House> {
    const known = houses.get(tenant)
    return known !== undefined && clock.ticks() - known.ticks < FRESH_MS ? known : lookOnce(tenant)
  }

  async function cached<T>(
    tenant: string,
    kind: AdminKind,
    id: string,
    schema: z.ZodType<T>,
  ): Promise<T | undefined> {
    const { items } = await houseOf(tenant)
    const key = `${kind}:${id}`
    const known = items.get(key)
    // erased: what is under a key of this kind was read with this schema
    if (known !== undefined || items.has(key)) return known as T | undefined
    const item = await store.get(tenant, kind, id)
    const record = item === undefined ? undefined : readRecord(item, schema)
    // the first house need not be written down, and is asked for at every request; made-up names are not kept
    if (items.size < MOST_ITEMS && (record !== undefined || id === home)) items.set(key, record)
    return record
  }

  return {
    async isOpen(tenant) {
      const record = await cached(home, 'tenant', tenant, TenantRecord)
      return record === undefined ? tenant === home : !record.disabled
    },
    principal: (tenant, id) => cached(tenant, 'principal', id, PrincipalRecord),
    token: (tenant, id) => cached(tenant, 'token', id, tokenRecord()),
    holdsUntil: (tenant) => (houses.get(tenant)?.ticks ?? Number.NEGATIVE_INFINITY) + FRESH_MS,
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

/** A stored record; one that can't be read must not be taken for none, nor for one with fewer limits. */
export function readRecord<T>(item: AdminItem, schema: z.ZodType<T>): T {
  if (item.unopened !== undefined) throw item.unopened
  const parsed = schema.safeParse(JSON.parse(item.value))
  if (parsed.success) return parsed.data
  throw new ToolError(
    'TOOL_CONFIGURATION_ERROR',
    `The stored ${item.kind} "${item.id}" can not be read.`,
  )
}
