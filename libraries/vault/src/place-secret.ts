import { ToolError } from '@surehand/core'
import type { SecurityNeed, SourceRequest } from './source-request.ts'

/** The place of a secret in a request. */
export type SecretLocation = { readonly in: 'header' | 'query' | 'cookie'; readonly name: string }

/**
 * A request with credentials, and where they are: egress removes them across origins and from
 * recordings.
 */
export type CredentialedRequest = {
  readonly request: SourceRequest
  readonly credentialHeaders: readonly string[]
  readonly credentialQuery: readonly string[]
}

const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,200}$/
// A document names the header of its API key. With one of these it could change the target or the
// framing of the request.
const FRAMING_HEADERS = new Set([
  'connection',
  'content-length',
  'content-type',
  'expect',
  'host',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])
const COOKIE_VALUE = /^[\x21\x23-\x2b\x2d-\x3a\x3c-\x5b\x5d-\x7e]*$/

export function locationOf(need: SecurityNeed): SecretLocation {
  return need.type === 'apiKey'
    ? { in: need.in, name: need.name }
    : { in: 'header', name: 'authorization' }
}

/** Puts a secret where its security scheme says, replacing any value that was there. */
export function placeSecret(
  given: CredentialedRequest,
  { in: where, name }: SecretLocation,
  value: string,
): CredentialedRequest {
  const { request, credentialHeaders, credentialQuery } = given
  switch (where) {
    case 'header': {
      const lower = name.toLowerCase()
      if (!HEADER_NAME.test(name) || FRAMING_HEADERS.has(lower))
        throw cannotPlace('that is no allowed header name')
      if (credentialHeaders.includes(lower))
        throw cannotPlace(`two schemes use the header ${lower}`)
      const headers = { ...withoutHeader(request.headers, lower), [lower]: value }
      return {
        ...given,
        request: { ...request, headers },
        credentialHeaders: [...credentialHeaders, lower],
      }
    }
    case 'query': {
      if (credentialQuery.includes(name))
        throw cannotPlace('two schemes use the same query parameter')
      return {
        ...given,
        request: { ...request, url: withParameter(request.url, name, value) },
        credentialQuery: [...credentialQuery, name],
      }
    }
    case 'cookie': {
      if (!HEADER_NAME.test(name) || !COOKIE_VALUE.test(value))
        throw cannotPlace('its characters are not allowed in a cookie')
      const others = cookiesOf(request).filter((cookie) => cookie.split('=')[0] !== name)
      const headers = {
        ...withoutHeader(request.headers, 'cookie'),
        cookie: [...others, `${name}=${value}`].join('; '),
      }
      return {
        ...given,
        request: { ...request, headers },
        credentialHeaders: [...new Set([...credentialHeaders, 'cookie'])],
      }
    }
  }
}

// Pair by pair: `URLSearchParams` would rewrite the encoding of the other parameters, which some
// APIs depend on.
function withParameter(text: string, name: string, value: string): string {
  const url = new URL(text)
  const others = url.search
    .slice(1)
    .split('&')
    .filter((pair) => pair !== '' && !new URLSearchParams(pair).has(name))
  url.search = [...others, `${encodeURIComponent(name)}=${encodeURIComponent(value)}`].join('&')
  return url.href
}

function withoutHeader(
  headers: Readonly<Record<string, string>>,
  lower: string,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => name.toLowerCase() !== lower),
  )
}

function cookiesOf({ headers }: SourceRequest): readonly string[] {
  const [, cookies = ''] =
    Object.entries(headers).find(([name]) => name.toLowerCase() === 'cookie') ?? []
  return cookies
    .split(';')
    .map((cookie) => cookie.trim())
    .filter((cookie) => cookie !== '')
}

function cannotPlace(why: string): ToolError {
  return new ToolError(
    'TOOL_CONFIGURATION_ERROR',
    `Nothing was sent: a credential cannot be placed where its document says: ${why}.`,
    {
      effect: 'none',
    },
  )
}
