import { randomBytes } from 'node:crypto'
import { ToolError } from '@surehand/core'
import type { PackArtifact } from '@surehand/core/host'
import type { ValueStore } from '@surehand/core/ports'

export type Artifacts = {
  readonly keep: (artifact: PackArtifact) => Promise<{ readonly url: string }>
  readonly find: (
    tenant: string,
    file: string,
  ) => Promise<{ readonly bytes: Uint8Array; readonly mediaType: string } | undefined>
}

// Each is served with its own media type; none of these types can run scripts in a browser.
const ENDINGS: ReadonlyMap<string, string> = new Map([
  ['image/png', 'png'],
  ['image/jpeg', 'jpg'],
  ['video/mp4', 'mp4'],
  ['text/calendar', 'ics'],
])
const MEDIA_TYPES = new Map([...ENDINGS].map(([mediaType, ending]) => [ending, mediaType]))
const FILE = /^([0-9a-f]{32})\.([a-z0-9]{3})$/
const MOST_BYTES = 16 * 1024 * 1024
const KEPT_MS = 30 * 24 * 60 * 60_000

/**
 * Files made by packs, stored for thirty days under unguessable names. They are in the shared
 * store, so every node can serve them.
 */
export function createArtifacts(values: ValueStore, publicUrl: string): Artifacts {
  return {
    async keep({ tenant, bytes, mediaType }) {
      const ending = ENDINGS.get(mediaType)
      if (ending === undefined || bytes.length > MOST_BYTES)
        throw new ToolError(
          'TOOL_INVALID_OUTPUT',
          `An artifact is ${[...ENDINGS.keys()].join(', ')} of at most ${MOST_BYTES} bytes.`,
        )
      const name = randomBytes(16).toString('hex')
      await values.set(tenant, keyOf(name), Buffer.from(bytes).toString('base64'), KEPT_MS)
      return { url: `${publicUrl}/artifacts/${encodeURIComponent(tenant)}/${name}.${ending}` }
    },
    async find(tenant, file) {
      const [, name, ending = ''] = FILE.exec(file) ?? []
      const mediaType = MEDIA_TYPES.get(ending)
      const kept =
        name === undefined || mediaType === undefined
          ? undefined
          : await values.get(tenant, keyOf(name))
      return kept === undefined || mediaType === undefined
        ? undefined
        : { bytes: Buffer.from(kept, 'base64'), mediaType }
    },
  }
}

function keyOf(name: string): string {
  return `artifact/${name}`
}
