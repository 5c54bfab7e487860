import { type Caller, type Port, type Tool, ToolError } from '@surehand/core'
import { type ForeignSource, foreignPort } from '@surehand/core/host'
import { hashJson, sha256 } from '@surehand/core/internal'
import type { ForeignSchemas, Maybe } from '@surehand/core/ports'
import { noCache, type PreparedCache } from './prepared-cache.ts'

/**
 * One kind of source (OpenAPI, GraphQL, MCP): how its documents are fetched, prepared, opened and
 * followed.
 */
export type SourceKind = {
  readonly kind: string
  /**
   * Changes when the same document would become other tools. Prepared documents of an older
   * generator are not used.
   */
  readonly generator: string
  /**
   * Changes when the same tools are encoded differently. Older cache files cannot be read, and pins
   * stay valid.
   */
  readonly format?: string
  /**
   * Validates the settings of an import; throws a ToolError that says what is wrong. `from` is where
   * the document is, as `readFrom` gave it; null if the caller sends the document.
   */
  readonly readSettings: (settings: unknown, from: unknown) => unknown
  /** Validates where the document is; throws likewise. */
  readonly readFrom: (from: unknown) => unknown
  /**
   * Turns a document into the bytes that tools are made from, which are cached on disk. Long work
   * runs in another thread. An error that may pass (time, memory) has `again_after_ms` in its
   * details.
   */
  readonly prepare: (document: string, source: Named) => Maybe<Preparation>
  readonly open: (prepared: Uint8Array, source: Opening) => OpenedSource
  /** Fetches the current document. */
  readonly fetch: (from: unknown, source: Fetching) => Promise<string>
  /** Subscribes to changes. Without it, the document is fetched again periodically. */
  readonly follow?: (
    from: unknown,
    source: Fetching,
    onDocument: (document: string) => void,
  ) => () => Promise<void>
}

type Named = { readonly tenant: string; readonly name: string; readonly settings: unknown }

/**
 * Both may be getters that do their work on first use: a caller that only checks a document does
 * not pay for them.
 */
export type Preparation = { readonly prepared: Uint8Array; readonly report: ImportReport }

/** Operations = tools + left out, each with a reason. */
export type ImportReport = {
  readonly operations: number
  readonly taken: readonly string[]
  readonly leftOut: readonly { readonly operation: string; readonly reason: string }[]
  readonly losses: readonly { readonly tool: string; readonly what: string }[]
  readonly tokens: number
  /** Entries of `allow` and of overlays that match no operation. */
  readonly unmatched?: readonly string[]
  /** What is missing before the tools can be called. */
  readonly needs?: readonly ImportNeed[]
}

/** A credential or an address that tools of an import need. */
export type ImportNeed =
  | {
      readonly kind: 'credential'
      readonly tools: number
      /** One of these is enough; each lists the credentials that it needs, and how to set them. */
      readonly alternatives: readonly {
        readonly credentials: readonly string[]
        readonly commands: readonly string[]
      }[]
    }
  | {
      readonly kind: 'server'
      readonly tools: number
      readonly problem: string
      readonly fix: string
    }

export type Opening = Named & {
  readonly port: Port<ForeignSource>
  readonly schemas: ForeignSchemas
  readonly from: unknown
  /**
   * Stores a document that a call found changed, so that an administrator sees the change whichever
   * process found it.
   */
  readonly onDocument: (document: string) => Promise<void>
}

export type OpenedSource = {
  readonly tools: readonly Tool[]
  readonly source: ForeignSource
  /** Closes its connections. */
  readonly close?: () => Promise<void>
}

/** `by` is the caller whose credentials are used. */
export type Fetching = Named & { readonly by: Caller; readonly signal: AbortSignal }

export type SourceLoaderOptions = {
  readonly kinds: readonly SourceKind[]
  readonly schemas: ForeignSchemas
  readonly cache?: PreparedCache
  /** Stores a changed document of a source; default: the next refresh finds it. */
  readonly onDocument?: (
    source: { readonly tenant: string; readonly name: string },
    document: string,
  ) => Promise<void>
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
  onDocument = async () => undefined,
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
      const port = foreignPort(portName, { keysValidFor: KEYS_VALID_FOR, title: name })
      const place = cacheKeyOf(key, kindOf(kind))
      const opening: Opening = {
        tenant,
        name,
        settings,
        from,
        port,
        schemas,
        onDocument: (changed) => onDocument({ tenant, name }, changed),
      }
      const known = openFromCache(kindOf(kind), place, opening)
      if (known !== undefined) return { ...known, port, portName }
      const { prepared } = await kindOf(kind).prepare(document, source)
      cache.put(place, prepared)
      return { ...kindOf(kind).open(prepared, opening), port, portName }
    },
  }
}
