import type { Caller, Port, Tool } from '@surehand/core'
import type { ForeignSource } from '@surehand/core/host'
import type { ForeignSchemas, Maybe } from '@surehand/core/ports'

/** What a source of tools is made of, whichever kind: how it is read, opened, fetched and followed. */
export type SourceKind = {
  readonly kind: string
  /** Rises when the same document becomes other tools: what was prepared before is good no more. */
  readonly generator: string
  /** Rises when the same tools are kept in other bytes: what was prepared before can't be read, and pins stay as they are. */
  readonly format?: string
  /** What it needs to know beside the document; throws a ToolError that says what is wrong. */
  readonly readSettings: (settings: unknown) => unknown
  /** Where it is; throws likewise. */
  readonly readFrom: (from: unknown) => unknown
  /**
   * A document to what tools are made of: bytes, kept on disk. What takes long is done elsewhere: others call meanwhile. Trouble that is
   * not the document's alone (time, memory) has `again_after_ms` in its details.
   */
  readonly prepare: (document: string, source: Named) => Maybe<Preparation>
  readonly open: (prepared: Uint8Array, source: Opening) => OpenedSource
  /** The document as it is now. */
  readonly fetch: (from: unknown, source: Fetching) => Promise<string>
  /** Hears of changes by itself; where it can't, the document is fetched again from time to time. */
  readonly follow?: (
    from: unknown,
    source: Fetching,
    onDocument: (document: string) => void,
  ) => () => Promise<void>
}

export type Named = { readonly tenant: string; readonly name: string; readonly settings: unknown }

/** Each made when it is asked for: whoever only wants to know that a document can be read waits for neither. */
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
  /** Ends what it holds open. */
  readonly close?: () => Promise<void>
}

/** Who fetches, with which credentials. */
export type Fetching = Named & { readonly by: Caller; readonly signal: AbortSignal }
