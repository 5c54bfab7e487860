import { invalidRequest } from './egress-errors.ts'
import type { EgressLimits } from './limits.ts'
import type { AllowedHost } from './policy.ts'
import { readTarget, type Target } from './target.ts'

export type EgressRequest = {
  /** Its policy applies, and only its connections are used. */
  readonly tenant: string
  readonly url: string
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  /**
   * Credential headers in addition to Authorization, Cookie and Proxy-Authorization. They are never
   * sent to another origin or recorded.
   */
  readonly credentialHeaders?: readonly string[]
  /** Credential query parameters. They are never recorded. */
  readonly credentialQuery?: readonly string[]
  readonly body?: string | Uint8Array
  readonly signal?: AbortSignal
  readonly maxBytes?: number
  /** `connectMs` cannot be set here, because requests share connections. */
  readonly limits?: Partial<Omit<EgressLimits, 'connectMs'>>
  /** `stop` returns a redirect like any other response. */
  readonly redirect?: 'follow' | 'stop'
  /**
   * Hosts allowed in addition to the tenant's policy. Only for addresses from the server's
   * settings, never from an input.
   */
  readonly allow?: readonly AllowedHost[]
}

/** A validated request: the first one, or one that a redirect led to. */
export type OutgoingRequest = {
  readonly target: Target
  readonly method: string
  /** Names are in lower case. */
  readonly headers: ReadonlyMap<string, string>
  /** The names of the credential headers. */
  readonly credentials: ReadonlySet<string>
  readonly body: Buffer | undefined
}

const METHODS = new Set([
  'GET',
  'HEAD',
  'OPTIONS',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'QUERY',
  'PROPFIND',
  'REPORT',
])
const WITHOUT_BODY = new Set(['GET', 'HEAD'])
const STANDARD_CREDENTIALS = ['authorization', 'cookie', 'proxy-authorization']
const NAME = /^[a-z0-9!#$%&'*+.^_`|~-]+$/
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/
// These headers decide where the message ends or whom it is for, so a caller could bypass the
// checks with them.
const RESERVED_HEADERS = new Set([
  'connection',
  'content-length',
  'expect',
  'host',
  'http2-settings',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])
const DEFAULT_HEADERS = {
  accept: '*/*',
  'accept-encoding': 'gzip, deflate, br, zstd',
  'user-agent': 'surehand',
}

/**
 * Validates a request before anything is looked up, so that an invalid one fails without an effect.
 */
export function readRequest(request: EgressRequest): OutgoingRequest {
  const method = (request.method ?? 'GET').toUpperCase()
  if (!METHODS.has(method))
    throw invalidRequest(`The method must be one of ${[...METHODS].join(', ')}.`)
  const body = request.body === undefined ? undefined : Buffer.from(request.body)
  if (body !== undefined && WITHOUT_BODY.has(method))
    throw invalidRequest(`A ${method} request has no body.`)
  return {
    target: readTarget(request.url),
    method,
    headers: readHeaders(request.headers ?? {}),
    credentials: credentialNames(request),
    body,
  }
}

/** The headers of a request that are credentials, in lower case. */
export function credentialNames({
  credentialHeaders = [],
}: Pick<EgressRequest, 'credentialHeaders'>): ReadonlySet<string> {
  return new Set([...STANDARD_CREDENTIALS, ...credentialHeaders.map((name) => name.toLowerCase())])
}

function readHeaders(given: Readonly<Record<string, string>>): ReadonlyMap<string, string> {
  const headers = new Map<string, string>()
  for (const [name, value] of Object.entries(given)) {
    const key = name.toLowerCase()
    if (!NAME.test(key)) throw invalidRequest('A header has an invalid name.')
    if (RESERVED_HEADERS.has(key))
      throw invalidRequest(`The header ${key} cannot be set by the caller.`)
    if (!VALUE.test(value))
      throw invalidRequest(
        `The value of the header ${key} has line breaks or characters that headers cannot contain.`,
      )
    if (headers.has(key)) throw invalidRequest(`The header ${key} is given twice.`)
    headers.set(key, value)
  }
  for (const [name, value] of Object.entries(DEFAULT_HEADERS))
    if (!headers.has(name)) headers.set(name, value)
  return headers
}
