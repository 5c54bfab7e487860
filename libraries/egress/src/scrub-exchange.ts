import { HIDDEN } from '@surehand/core/internal'
import { contentOf, type Exchange } from './exchange.ts'
import { credentialNames, type EgressRequest } from './request.ts'

export type Scrub = {
  readonly request: Exchange['request']
  readonly text: (text: string) => string
  readonly bytes: (bytes: Uint8Array) => Uint8Array
}

// a shorter one would be found, and blanked, inside words that are no secret
const SHORTEST_SECRET = 6

/** Takes a request's credentials out of everything that is kept of it, wherever else they stand: an echo, a form, a link. */
export function scrubFor(given: EgressRequest): Scrub {
  const names = credentialNames(given)
  const headers = Object.entries(given.headers ?? {})
  const url = URL.parse(given.url)
  const query = (given.credentialQuery ?? []).flatMap(
    (name) => url?.searchParams.getAll(name) ?? [],
  )
  const values = headers
    .filter(([name]) => names.has(name.toLowerCase()))
    .flatMap(([name, value]) => [value, ...partsOf(name, value)])
  const spellings = [...values, ...query, url?.password ?? '']
    .flatMap(spellingsOf)
    .filter(({ length }) => length >= SHORTEST_SECRET)
  // the longest first: a part must not be taken out of the middle of a whole
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
      ...(given.body === undefined ? {} : { body: contentOf(bytes(Buffer.from(given.body))) }),
    },
  }
}

// as it stands, in a query, in JSON; Latin-1 letters stand for bytes, so that a secret is found in any body
function spellingsOf(secret: string): readonly string[] {
  const plain = [
    secret,
    encodeURIComponent(secret.toWellFormed()),
    JSON.stringify(secret).slice(1, -1),
  ]
  return plain.flatMap((spelling) => [spelling, Buffer.from(spelling).toString('latin1')])
}

// `Bearer` and the names of cookies are no secrets
function partsOf(name: string, value: string): readonly string[] {
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
