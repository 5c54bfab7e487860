import { HIDDEN } from '@surehand/core/internal'
import { type Exchange, encodeContent } from './exchange.ts'
import { credentialNames, type EgressRequest } from './request.ts'

export type ExchangeScrubber = {
  readonly request: Exchange['request']
  readonly text: (text: string) => string
  readonly bytes: (bytes: Uint8Array) => Uint8Array
}

// A shorter secret would also be found and removed inside ordinary words.
const MIN_SECRET_LENGTH = 6

/**
 * Removes a request's credentials from everything that is recorded, also where a response repeats
 * them in text, a form or a link.
 */
export function createExchangeScrubber(given: EgressRequest): ExchangeScrubber {
  const names = credentialNames(given)
  const headers = Object.entries(given.headers ?? {})
  const url = URL.parse(given.url)
  const query = (given.credentialQuery ?? []).flatMap(
    (name) => url?.searchParams.getAll(name) ?? [],
  )
  const values = headers
    .filter(([name]) => names.has(name.toLowerCase()))
    .flatMap(([name, value]) => [value, ...secretPartsOf(name, value)])
  const spellings = [...values, ...query, url?.password ?? '']
    .flatMap(encodingsOf)
    .filter(({ length }) => length >= MIN_SECRET_LENGTH)
  // The longest first, so that a part is not removed from the middle of the whole.
  const secrets = [...new Set(spellings)].toSorted((one, other) => other.length - one.length)
  const text = (from: string) =>
    secrets.reduce((left, secret) => left.replaceAll(secret, HIDDEN), from)
  const bytes = (from: Uint8Array) =>
    Buffer.from(text(Buffer.from(from).toString('latin1')), 'latin1')
  return {
    text,
    bytes,
    request: {
      method: (given.method ?? 'GET').toUpperCase(),
      url: url === null ? HIDDEN : text(withoutCredentials(url, given.credentialQuery ?? [])),
      headers: Object.fromEntries(
        headers.map(([name, value]) => [
          name.toLowerCase(),
          names.has(name.toLowerCase()) ? HIDDEN : text(value),
        ]),
      ),
      ...(given.body === undefined ? {} : { body: encodeContent(bytes(Buffer.from(given.body))) }),
    },
  }
}

// Plain, in a query, in JSON, and each as Latin-1, one character per byte, so that a secret is
// found in any body.
function encodingsOf(secret: string): readonly string[] {
  const plain = [
    secret,
    encodeURIComponent(secret.toWellFormed()),
    JSON.stringify(secret).slice(1, -1),
  ]
  return plain.flatMap((spelling) => [spelling, Buffer.from(spelling).toString('latin1')])
}

// `Bearer` and the names of cookies are not secret.
function secretPartsOf(name: string, value: string): readonly string[] {
  if (name.toLowerCase() !== 'cookie') return [value.slice(value.indexOf(' ') + 1)]
  return value.split(/;\s*/).map((pair) => pair.slice(pair.indexOf('=') + 1))
}

function withoutCredentials(from: URL, names: readonly string[]): string {
  const url = new URL(from)
  url.username = ''
  url.password = ''
  for (const name of names) if (url.searchParams.has(name)) url.searchParams.set(name, HIDDEN)
  return url.href
}
