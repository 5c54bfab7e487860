import type { EgressLimits } from './limits.ts'
import type { AllowedHost } from './policy.ts'
import { unsendable } from './refusal.ts'
import { readTarget, type Target } from './target.ts'

export type EgressRequest = {
  /** Whose policy it is sent under, and whose connections it may use. */
  readonly tenant: string
  readonly url: string
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  /** Headers that prove who we are, besides Authorization, Cookie and Proxy-Authorization: they never leave the origin, nor a recording. */
  readonly credentialHeaders?: readonly string[]
  /** Query parameters that do: they never get into a recording. */
  readonly credentialQuery?: readonly string[]
  readonly body?: string | Uint8Array
  readonly signal?: AbortSignal
  readonly maxBytes?: number
  /** Connections are shared, so how long one may take is the house's. */
  readonly limits?: Partial<Omit<EgressLimits, 'connectMs'>>
  /** `stop`: a redirect is an answer like any other. */
  readonly redirect?: 'follow' | 'stop'
  /** Opened for this request besides the tenant's policy: for addresses from the house's own settings, never from an input. */
  readonly allow?: readonly AllowedHost[]
}

/** A request that can be sent: one hop of a trip. */
export type Outgoing = {
  readonly target: Target
  readonly method: string
  /** By name in lower case. */
  readonly headers: ReadonlyMap<string, string>
  /** The names of those that are credentials. */
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
// whoever sets them decides where the message ends or who it is for, behind the back of what was checked
const OURS = new Set([
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

/** Reads a request whole before anything is looked up, so that what can't be sent fails with nothing done. */
export function readRequest(request: EgressRequest): Outgoing {
  const method = (request.method ?? 'GET').toUpperCase()
  if (!METHODS.has(method))
    throw unsendable(`Requests are sent by ${[...METHODS].join(', ')} and by no other method.`)
  const body = request.body === undefined ? undefined : Buffer.from(request.body)
  if (body !== undefined && WITHOUT_BODY.has(method))
    throw unsendable(`A ${method} request has no body.`)
  return {
    target: readTarget(request.url),
    method,
    headers: headersOf(request.headers ?? {}),
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

function headersOf(given: Readonly<Record<string, string>>): ReadonlyMap<string, string> {
  const headers = new Map<string, string>()
  for (const [name, value] of Object.entries(given)) {
    const key = name.toLowerCase()
    if (!NAME.test(key)) throw unsendable('A header has a name that is none.')
    if (OURS.has(key)) throw unsendable(`The header ${key} is not for the caller to set.`)
    if (!VALUE.test(value))
      throw unsendable(
        `The header ${key} has a value with line breaks or characters that headers can't carry.`,
      )
    if (headers.has(key)) throw unsendable(`The header ${key} is given twice.`)
    headers.set(key, value)
  }
  for (const [name, value] of Object.entries(DEFAULT_HEADERS))
    if (!headers.has(name)) headers.set(name, value)
  return headers
}
