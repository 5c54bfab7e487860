import { gunzipSync, gzipSync } from 'node:zlib'
import { ToolError } from '@surehand/core'
import { sha256 } from '@surehand/core/internal'
import type { ValueStore } from '@surehand/core/ports'

/** The documents of tenants, stored by content hash in the database that all nodes share. */
export type DocumentStore = {
  readonly put: (tenant: string, text: string) => Promise<string>
  readonly get: (tenant: string, hash: string) => Promise<string>
  /** In bytes; 0 if it is no longer stored. */
  readonly size: (tenant: string, hash: string) => Promise<number>
  readonly delete: (tenant: string, hash: string) => Promise<void>
}

const PREFIX = 'surehand.document:'

export function createDocumentStore(values: ValueStore): DocumentStore {
  // Shared by all tenants: a hash identifies one text.
  const sizes = new Map<string, number>()
  return {
    async put(tenant, text) {
      const hash = sha256(text)
      sizes.set(hash, Buffer.byteLength(text))
      if ((await values.get(tenant, PREFIX + hash)) === undefined)
        await values.set(tenant, PREFIX + hash, gzipSync(text).toString('base64'))
      return hash
    },
    async get(tenant, hash) {
      const kept = await values.get(tenant, PREFIX + hash)
      const text =
        kept === undefined ? undefined : gunzipSync(Buffer.from(kept, 'base64')).toString()
      if (text === undefined || sha256(text) !== hash)
        throw new ToolError(
          'TOOL_RESOURCE_NOT_FOUND',
          `The document ${hash.slice(0, 12)} is no longer stored. Import it again.`,
          {
            // Retried at once: if another node deleted it just now, the node that refers to it
            // stores it again.
            details: { again_after_ms: 0 },
          },
        )
      sizes.set(hash, Buffer.byteLength(text))
      return text
    },
    async size(tenant, hash) {
      const known = sizes.get(hash)
      if (known !== undefined) return known
      const kept = await values.get(tenant, PREFIX + hash)
      const size = kept === undefined ? 0 : gunzipSync(Buffer.from(kept, 'base64')).length
      sizes.set(hash, size)
      return size
    },
    async delete(tenant, hash) {
      sizes.delete(hash)
      await values.delete(tenant, PREFIX + hash)
    },
  }
}
