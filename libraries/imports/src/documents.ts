import { gunzipSync, gzipSync } from 'node:zlib'
import { ToolError } from '@surehand/core'
import { sha256 } from '@surehand/core/internal'
import type { ValueStore } from '@surehand/core/ports'

/** The documents of tenants, by their hash, where every node finds them. */
export type Documents = {
  readonly put: (tenant: string, text: string) => Promise<string>
  readonly get: (tenant: string, hash: string) => Promise<string>
  /** In bytes; 0 where it is not kept any more. */
  readonly size: (tenant: string, hash: string) => Promise<number>
  readonly forget: (tenant: string, hash: string) => Promise<void>
}

const PREFIX = 'surehand.document:'

export function createDocuments(values: ValueStore): Documents {
  // a hash is of one text alone, whosever it is
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
          `The document ${hash.slice(0, 12)} is not kept here any more: import it again.`,
          {
            // whoever names it puts it back where another node forgot it at the same moment
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
    async forget(tenant, hash) {
      sizes.delete(hash)
      await values.delete(tenant, PREFIX + hash)
    },
  }
}
