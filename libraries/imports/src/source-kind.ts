import type { Caller, Port, Tool } from '@surehand/core'
import type { ForeignSource } from '@surehand/core/host'
import type { ForeignSchemas, Maybe } from '@surehand/core/ports'

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
  /** Validates the settings of an import; throws a ToolError that says what is wrong. */
  readonly readSettings: (settings: unknown) => unknown
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

export type Named = { readonly tenant: string; readonly name: string; readonly settings: unknown }

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
}

export type Opening = Named & {
  readonly port: Port<ForeignSource>
  readonly schemas: ForeignSchemas
  readonly from: unknown
}

export type OpenedSource = {
  readonly tools: readonly Tool[]
  readonly source: ForeignSource
  /** Closes its connections. */
  readonly close?: () => Promise<void>
}

/** `by` is the caller whose credentials are used. */
export type Fetching = Named & { readonly by: Caller; readonly signal: AbortSignal }
