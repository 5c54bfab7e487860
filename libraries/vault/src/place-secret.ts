import { ToolError } from '@surehand/core'
import type { SecretPlace, SecurityNeed, SourceRequest } from './source-request.ts'

/** The place of a secret in a request. */
export type SecretLocation = { readonly in: SecretPlace; readonly name: string }

/**
 * A request with credentials, and where they are: egress removes them across origins and from
 * recordings.
 */
export type CredentialedRequest = {
  readonly request: SourceRequest
  readonly credentialHeaders: readonly string[]
  readonly credentialQuery: readonly string[]
  /** Fields of the body. A redirect would send them on, so none is followed. */
  readonly credentialFields: readonly string[]
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
  const { request, credentialHeaders, credentialQuery, credentialFields } = given
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
    case 'form': {
      if (credentialFields.includes(name)) throw cannotPlace('two schemes use the same form field')
      return {
        ...given,
        request: { ...request, body: withField(request, name, value) },
        credentialFields: [...credentialFields, name],
      }
    }
  }
}

function withField({ headers, body = '' }: SourceRequest, name: string, value: string) {
  const [type = '', ...parameters] = (headers['content-type'] ?? '').split(/; ?/)
  if (type === 'application/x-www-form-urlencoded')
    return withPair(Buffer.from(body).toString('utf8'), name, value)
  const boundary = parameters.find((one) => one.startsWith('boundary='))?.slice('boundary='.length)
  if (!type.startsWith('multipart/') || boundary === undefined)
    throw cannotPlace('its body is not a form')
  return withPart(Buffer.from(body), { name, value, boundary })
}

type FormPart = { readonly name: string; readonly value: string; readonly boundary: string }

// The field is not an argument of the tool, so no other part has its name.
function withPart(body: Buffer, { name, value, boundary }: FormPart): Uint8Array {
  const end = body.lastIndexOf(`--${boundary}--`)
  if (end < 0 || value.includes(boundary) || /["\r\n]/.test(name))
    throw cannotPlace('the form has no place for it')
  const part = `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
  return new Uint8Array(
    Buffer.concat([body.subarray(0, end), Buffer.from(part), body.subarray(end)]),
  )
}

// Pair by pair: `URLSearchParams` would rewrite the encoding of the other parameters, which some
// APIs depend on.
function withParameter(text: string, name: string, value: string): string {
  const url = new URL(text)
  url.search = withPair(url.search.slice(1), name, value)
  return url.href
}

function withPair(text: string, name: string, value: string): string {
  const others = text
    .split('&')
    .filter((pair) => pair !== '' && !new URLSearchParams(pair).has(name))
  return [...others, `${encodeURIComponent(name)}=${encodeURIComponent(value)}`].join('&')
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
