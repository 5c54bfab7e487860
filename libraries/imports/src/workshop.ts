import { type Port, ToolError } from '@surehand/core'
import { type ForeignSource, foreignPort } from '@surehand/core/host'
import { hashJson, sha256 } from '@surehand/core/internal'
import type { ForeignSchemas } from '@surehand/core/ports'
import { noCache, type PreparedCache } from './prepared-cache.ts'
import type { Named, OpenedSource, Opening, SourceKind } from './source-kind.ts'

export type WorkshopOptions = {
  readonly kinds: readonly SourceKind[]
  readonly schemas: ForeignSchemas
  readonly cache?: PreparedCache
}

/** Which source it is, and where it comes from. */
export type SourceOf = Named & { readonly kind: string; readonly from: unknown }

/** A source that was opened, and the port its tools are carried by: another document, other settings, another port. */
export type OpenSource = OpenedSource & {
  readonly port: Port<ForeignSource>
  readonly portName: string
}

/** Where documents become tools. */
export type Workshop = {
  readonly kindOf: (kind: string) => SourceKind
  /** From the disk where it was prepared before. */
  readonly open: (document: string, source: SourceOf) => Promise<OpenSource>
}

// how long a provider that deduplicates by our key is taken to remember it
const KEYS_VALID_FOR = '1d'

function placeOf(key: string, { format }: SourceKind): string {
  return format === undefined ? key : hashJson([key, format])
}

export function createWorkshop({ kinds, schemas, cache = noCache }: WorkshopOptions): Workshop {
  const byName = new Map(kinds.map((kind) => [kind.kind, kind]))

  function kindOf(kind: string): SourceKind {
    const found = byName.get(kind)
    if (found !== undefined) return found
    throw new ToolError(
      'TOOL_CONFIGURATION_ERROR',
      `Nobody here reads sources of the kind "${kind}".`,
    )
  }

  function openKept(kind: SourceKind, place: string, opening: Opening): OpenedSource | undefined {
    const kept = cache.get(place)
    if (kept === undefined) return undefined
    try {
      return kind.open(kept, opening)
    } catch {
      // a file that a disk damaged costs time and no tool; what is wrong with the source itself is told when it is prepared afresh
      return undefined
    }
  }

  return {
    kindOf,
    async open(document, source) {
      const { tenant, name, kind, settings, from } = source
      const key = hashJson([kind, kindOf(kind).generator, sha256(document), name, settings])
      const portName = JSON.stringify({ tenant, name, source: hashJson([key, from ?? null]) })
      const port = foreignPort(portName, { keysValidFor: KEYS_VALID_FOR })
      const place = placeOf(key, kindOf(kind))
      const opening = { tenant, name, settings, from, port, schemas }
      const known = openKept(kindOf(kind), place, opening)
      if (known !== undefined) return { ...known, port, portName }
      const { prepared } = await kindOf(kind).prepare(document, source)
      cache.put(place, prepared)
      return { ...kindOf(kind).open(prepared, opening), port, portName }
    },
  }
}
