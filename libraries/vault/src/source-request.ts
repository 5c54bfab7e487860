import type { ForeignCall } from '@surehand/core/host'

/** What a call of a document's tool becomes: finished but for its credentials, which the house adds. */
export type SourceRequest = {
  readonly method: string
  /** Origin and path prefix have been held against the document's. */
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: Uint8Array | string
  /** Alternatives; of one of them, all schemes apply. None: nothing is needed. */
  readonly security: readonly (readonly SecurityNeed[])[]
  readonly maxBytes: number
}

/** A security scheme of a document, without any secret. */
export type SecurityNeed = { readonly scheme: string; readonly scopes: readonly string[] } & (
  | { readonly type: 'apiKey'; readonly in: 'header' | 'query' | 'cookie'; readonly name: string }
  | { readonly type: 'http'; readonly http: 'basic' | 'bearer' }
  | { readonly type: 'oauth2' | 'openIdConnect' }
)

export type SourceAnswer = {
  readonly status: number
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
  /** There was more than the request allowed for. */
  readonly isCut: boolean
}

/** Sends a request with the credentials of the call's tenant, through egress. */
export type Send = (
  request: SourceRequest,
  call: ForeignCall,
  signal: AbortSignal,
) => Promise<SourceAnswer>
