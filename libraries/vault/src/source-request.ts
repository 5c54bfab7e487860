import type { ForeignCall } from '@surehand/core/host'

/**
 * The request that a call of an imported tool becomes, complete except for the credentials, which
 * the vault adds.
 */
export type SourceRequest = {
  readonly method: string
  /** Its origin and path prefix were checked against the document. */
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: Uint8Array | string
  /**
   * Alternatives, each a list of schemes that apply together. An empty list: no credential is
   * needed.
   */
  readonly security: readonly (readonly SecurityNeed[])[]
  readonly maxBytes: number
}

/** `form`: a field of a body in one of the two media types of forms. */
export type SecretPlace = 'header' | 'query' | 'cookie' | 'form'

/** A security scheme of a document, without any secret. */
export type SecurityNeed = { readonly scheme: string; readonly scopes: readonly string[] } & (
  | { readonly type: 'apiKey'; readonly in: SecretPlace; readonly name: string }
  | { readonly type: 'http'; readonly http: 'basic' | 'bearer' }
  | { readonly type: 'oauth2' | 'openIdConnect' }
  /** AWS Signature Version 4 over the whole request. */
  | { readonly type: 'awsSignature' }
)

export type SourceAnswer = {
  readonly status: number
  /** Header names are in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
  /** The body was longer than the request allowed and was cut. */
  readonly isCut: boolean
}

/** Sends a request with the credentials of the call's tenant, through egress. */
export type Send = (
  request: SourceRequest,
  call: ForeignCall,
  signal: AbortSignal,
) => Promise<SourceAnswer>
