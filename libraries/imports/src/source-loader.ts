import { type Port, ToolError } from '@surehand/core'
import { type ForeignSource, foreignPort } from '@surehand/core/host'
import { hashJson, sha256 } from '@surehand/core/internal'
import type { ForeignSchemas } from '@surehand/core/ports'
import { noCache, type PreparedCache } from './prepared-cache.ts'
import type { Named, OpenedSource, Opening, SourceKind } from './source-kind.ts'

export type SourceLoaderOptions = {
  readonly kinds: readonly SourceKind[]
  readonly schemas: ForeignSchemas
  readonly cache?: PreparedCache
}

/** Identifies a source and where it comes from. */
export type SourceIdentity = Named & { readonly kind: string; readonly from: unknown }

/**
 * An opened source and the port of its tools. Another document or other settings give another port.
 */
export type OpenSource = OpenedSource & {
  readonly port: Port<ForeignSource>
  readonly portName: string
}

/** Makes tools from documents. */
export type SourceLoader = {
  readonly kindOf: (kind: string) => SourceKind
  /** Uses the cache if the document was prepared before. */
  readonly open: (document: string, source: SourceIdentity) => Promise<OpenSource>
}

// How long a provider that deduplicates by our key is assumed to remember it.
const KEYS_VALID_FOR = '1d'

function cacheKeyOf(key: string, { format }: SourceKind): string {
  return format === undefined ? key : hashJson([key, format])
}

export function createSourceLoader({
  kinds,
  schemas,
  cache = noCache,
}: SourceLoaderOptions): SourceLoader {
  const byName = new Map(kinds.map((kind) => [kind.kind, kind]))

  function kindOf(kind: string): SourceKind {
    const found = byName.get(kind)
    if (found !== undefined) return found
    throw new ToolError(
      'TOOL_CONFIGURATION_ERROR',
      `Sources of the kind "${kind}" are not supported. Known kinds: ${[...byName.keys()].join(', ')}.`,
    )
  }

  function openFromCache(
    kind: SourceKind,
    place: string,
    opening: Opening,
  ): OpenedSource | undefined {
    const kept = cache.get(place)
    if (kept === undefined) return undefined
    try {
      return kind.open(kept, opening)
    } catch {
      // A damaged file only costs time: preparing the document again reports what is wrong with the
      // source itself.
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
      const place = cacheKeyOf(key, kindOf(kind))
      const opening = { tenant, name, settings, from, port, schemas }
      const known = openFromCache(kindOf(kind), place, opening)
      if (known !== undefined) return { ...known, port, portName }
      const { prepared } = await kindOf(kind).prepare(document, source)
      cache.put(place, prepared)
      return { ...kindOf(kind).open(prepared, opening), port, portName }
    },
  }
}
