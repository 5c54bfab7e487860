import { isToolError } from '@surehand/core'
import { sha256 } from '@surehand/core/internal'
import type { Clock, ValueStore } from '@surehand/core/ports'
import { z } from 'zod'
import type { ImportPlace } from './refused-documents.ts'

const RefusedRequest = z.object({
  /** `host:port`; the rest of the address may contain secrets. */
  host: z.string(),
  reason: z.string(),
  suggestion: z.string(),
  /** The last time that it was refused, to a minute. */
  at: z.number(),
})
/** A request of an import or a mount that egress did not let out. */
export type RefusedRequest = z.infer<typeof RefusedRequest>

/**
 * Stored in the database, because the node that refused a request is seldom the one that an
 * administrator asks.
 */
export type RefusedRequests = {
  /** Notes what egress refused; other errors are ignored. */
  readonly note: (place: ImportPlace, thrown: unknown) => Promise<void>
  readonly clear: (place: ImportPlace) => Promise<void>
  /** By import name, the newest first. */
  readonly list: (tenant: string) => Promise<ReadonlyMap<string, readonly RefusedRequest[]>>
}

const PREFIX = 'surehand.refused-request:'
// A tool that is called in a loop must not write to the database each time.
const EVERY_MS = 60_000
const KEPT_MS = 7 * 24 * 3_600_000
const MOST_OF_IMPORT = 10

type Stored = { readonly key: string; readonly request: RefusedRequest }

export function createRefusedRequests(values: ValueStore, clock: Clock): RefusedRequests {
  const notedAt = new Map<string, number>()

  async function read(tenant: string, prefix: string): Promise<readonly Stored[]> {
    const found = await values.list(tenant, prefix)
    return found
      .map(({ key, value }) => ({ key, request: RefusedRequest.parse(JSON.parse(value)) }))
      .toSorted((one, other) => other.request.at - one.request.at)
  }

  // Which hosts are refused may be up to the author of a document: their number has a bound.
  async function removeOld({ tenant, name }: ImportPlace): Promise<void> {
    const oldest = clock.now() - KEPT_MS
    const stored = await read(tenant, prefixOf(name))
    const old = stored.filter(({ request }, at) => at >= MOST_OF_IMPORT || request.at < oldest)
    for (const { key } of old) await values.delete(tenant, key)
  }

  return {
    async note(place, thrown) {
      const refusal = toRefusal(thrown)
      if (refusal === undefined) return
      const key = `${prefixOf(place.name)}${sha256(`${refusal.host} ${refusal.reason}`).slice(0, 16)}`
      const at = clock.now()
      const memory = `${place.tenant} ${key}`
      if (at - (notedAt.get(memory) ?? Number.NEGATIVE_INFINITY) < EVERY_MS) return
      if (notedAt.size > 1_000) notedAt.clear()
      notedAt.set(memory, at)
      await values.set(place.tenant, key, JSON.stringify({ ...refusal, at }))
      await removeOld(place)
    },
    async clear({ tenant, name }) {
      for (const { key } of await values.list(tenant, prefixOf(name))) {
        notedAt.delete(`${tenant} ${key}`)
        await values.delete(tenant, key)
      }
    },
    async list(tenant) {
      const oldest = clock.now() - KEPT_MS
      const byName = new Map<string, RefusedRequest[]>()
      for (const { key, request } of await read(tenant, PREFIX)) {
        const name = key.slice(PREFIX.length, key.lastIndexOf(':'))
        if (request.at >= oldest) byName.set(name, [...(byName.get(name) ?? []), request])
      }
      return byName
    },
  }
}

const prefixOf = (name: string): string => `${PREFIX}${name}:`

function toRefusal(thrown: unknown): Omit<RefusedRequest, 'at'> | undefined {
  if (!isToolError(thrown) || thrown.code !== 'TOOL_RESOURCE_ACCESS_DENIED') return undefined
  const { host, reason } = thrown.details ?? {}
  if (typeof host !== 'string' || typeof reason !== 'string') return undefined
  return { host, reason, suggestion: thrown.suggestions?.[0] ?? '' }
}
