import { ToolError } from '@surehand/core'
import type { SecurityNeed, SourceRequest } from './source-request.ts'

/** Where a secret stands in a request. */
export type SecretSpot = { readonly in: 'header' | 'query' | 'cookie'; readonly name: string }

/** A request with credentials in it, and where they stand: egress keeps them from other origins and out of recordings. */
export type Credentialed = {
  readonly request: SourceRequest
  readonly credentialHeaders: readonly string[]
  readonly credentialQuery: readonly string[]
}

const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,200}$/
// a document names its own headers: with one of these it would say who the message is for, or where it ends
const FRAMING = new Set([
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

export function spotOf(need: SecurityNeed): SecretSpot {
  return need.type === 'apiKey'
    ? { in: need.in, name: need.name }
    : { in: 'header', name: 'authorization' }
}

/** Puts a secret where its scheme wants it, in place of whatever stood there. */
export function placeSecret(
  given: Credentialed,
  { in: where, name }: SecretSpot,
  value: string,
): Credentialed {
  const { request, credentialHeaders, credentialQuery } = given
  switch (where) {
    case 'header': {
      const lower = name.toLowerCase()
      if (!TOKEN.test(name) || FRAMING.has(lower)) throw misplaced(`a header can not be called so`)
      if (credentialHeaders.includes(lower)) throw misplaced(`two schemes want the header ${lower}`)
      const headers = { ...without(request.headers, lower), [lower]: value }
      return {
        ...given,
        request: { ...request, headers },
        credentialHeaders: [...credentialHeaders, lower],
      }
    }
    case 'query': {
      if (credentialQuery.includes(name)) throw misplaced('two schemes want one parameter')
      return {
        ...given,
        request: { ...request, url: withParameter(request.url, name, value) },
        credentialQuery: [...credentialQuery, name],
      }
    }
    case 'cookie': {
      if (!TOKEN.test(name) || !COOKIE_VALUE.test(value))
        throw misplaced('a cookie can not hold it')
      const others = cookiesOf(request).filter((cookie) => cookie.split('=')[0] !== name)
      const headers = {
        ...without(request.headers, 'cookie'),
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

// pair by pair: written anew, a query would lose the spelling its document asks for
function withParameter(text: string, name: string, value: string): string {
  const url = new URL(text)
  const others = url.search
    .slice(1)
    .split('&')
    .filter((pair) => pair !== '' && !new URLSearchParams(pair).has(name))
  url.search = [...others, `${encodeURIComponent(name)}=${encodeURIComponent(value)}`].join('&')
  return url.href
}

function without(headers: Readonly<Record<string, string>>, lower: string): Record<string, string> {
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

function misplaced(why: string): ToolError {
  return new ToolError(
    'TOOL_CONFIGURATION_ERROR',
    `Nothing was sent: a credential can not be put where its document wants it: ${why}.`,
    {
      effect: 'none',
    },
  )
}
