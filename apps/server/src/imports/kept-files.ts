import { createHash } from 'node:crypto'
import type { Caller } from '@surehand/core'
import type { KeepFile } from '@surehand/core/host'
import type { Clock, ValueStore } from '@surehand/core/ports'

/** What was too large for the answers of imported and mounted tools. */
export type KeptFiles = {
  readonly keep: KeepFile
  /** The file, for the caller whose call it belongs to; for all others it does not exist. */
  readonly find: (
    caller: Caller,
    id: string,
  ) => Promise<{ readonly bytes: Uint8Array; readonly mediaType: string } | undefined>
}

const KEPT_MS = 24 * 60 * 60_000
const ID = /^[0-9a-f]{64}$/
// A mounted server may call its file anything; this is what a header can carry.
const MEDIA_TYPE = /^[\x20-\x7e]{3,200}$/

/**
 * Files in the shared store, so that every node can serve them. A file is named by its content: the
 * same answer is stored once.
 */
export function createKeptFiles(
  values: ValueStore,
  { clock, publicUrl }: { readonly clock: Clock; readonly publicUrl: string },
): KeptFiles {
  return {
    async keep(caller, { bytes, mediaType }) {
      const id = sha256(bytes)
      const type = MEDIA_TYPE.test(mediaType) ? mediaType : 'application/octet-stream'
      const text = `${type}\n${Buffer.from(bytes).toString('base64')}`
      await values.set(caller.tenant, keyOf(caller, id), text, KEPT_MS)
      return {
        uri: `surehand://artifacts/${id}`,
        url: `${publicUrl}/v1/artifacts/${id}`,
        expires_at: new Date(clock.now() + KEPT_MS).toISOString(),
      }
    },
    async find(caller, id) {
      const kept = ID.test(id) ? await values.get(caller.tenant, keyOf(caller, id)) : undefined
      if (kept === undefined) return undefined
      const end = kept.indexOf('\n')
      return { bytes: Buffer.from(kept.slice(end + 1), 'base64'), mediaType: kept.slice(0, end) }
    },
  }
}

function keyOf({ principal }: Caller, id: string): string {
  return `answer/${sha256(principal)}/${id}`
}

function sha256(bytes: Uint8Array | string): string {
  return createHash('sha256').update(bytes).digest('hex')
}
