import type { ToolError } from '@surehand/core'
import type { ValueStore } from '@surehand/core/ports'
import { z } from 'zod'
import { formatMegabytes } from './import-limits.ts'

/** Why a new version of a document was not stored. The tools stay as they were accepted. */
export type RefusedDocument = { readonly says: string; readonly mend: readonly string[] }

/**
 * Stored in the database, because the node that fetched the document is seldom the one that an
 * administrator asks.
 */
export type RefusedDocuments = {
  /** `beside` is the hash of the document that stays in use. */
  readonly note: (place: ImportPlace, beside: string, refusal: ToolError) => Promise<void>
  readonly clear: (place: ImportPlace) => Promise<void>
  /** By import name. */
  readonly list: (tenant: string) => Promise<ReadonlyMap<string, StoredRefusal>>
}

export type ImportPlace = { readonly tenant: string; readonly name: string }

const StoredRefusal = z.object({ beside: z.string(), says: z.string(), mend: z.array(z.string()) })
export type StoredRefusal = z.infer<typeof StoredRefusal>

const PREFIX = 'surehand.refused-document:'

export function createRefusedDocuments(values: ValueStore): RefusedDocuments {
  return {
    async note({ tenant, name }, beside, { message, details, suggestions = [] }) {
      const noted: StoredRefusal = {
        beside,
        says: `changed at its source, not stored: ${describeSizes(details) ?? message}`,
        mend: [...suggestions],
      }
      const value = JSON.stringify(noted)
      // The same document is refused again every few minutes.
      if ((await values.get(tenant, PREFIX + name)) !== value)
        await values.set(tenant, PREFIX + name, value)
    },
    async clear({ tenant, name }) {
      // Read first: sources are fetched every few minutes, and most have no refusal to delete.
      if ((await values.get(tenant, PREFIX + name)) !== undefined)
        await values.delete(tenant, PREFIX + name)
    },
    async list(tenant) {
      const kept = await values.list(tenant, PREFIX)
      return new Map(
        kept.map(({ key, value }) => [
          key.slice(PREFIX.length),
          StoredRefusal.parse(JSON.parse(value)),
        ]),
      )
    },
  }
}

/** The refusal if it still applies: one that was stored beside another document is outdated. */
export function currentRefusal(
  noted: StoredRefusal | undefined,
  document: string | undefined,
): RefusedDocument | undefined {
  if (noted === undefined || noted.beside !== document) return undefined
  return { says: noted.says, mend: noted.mend }
}

const Sizes = z.object({ bytes: z.number(), max_bytes: z.number() })

function describeSizes(details: unknown): string | undefined {
  const { data } = Sizes.safeParse(details)
  return data === undefined
    ? undefined
    : `with the tenant's other documents ${formatMegabytes(data.bytes)} MB of at most ${formatMegabytes(data.max_bytes)}`
}
