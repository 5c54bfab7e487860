import { isIP } from 'node:net'
import { accessDenied, invalidRequest } from './egress-errors.ts'

/**
 * The target of a request, parsed once. Checks, DNS lookup, connection and request line all use
 * this value, so they cannot disagree.
 */
export type Target = {
  readonly url: URL
  /** In lower case, without brackets and without a trailing dot. */
  readonly host: string
  readonly port: number
  readonly isAddress: boolean
}

const MAX_URL = 16_384

/** Parses an untrusted URL; a relative one is resolved against `base`. */
export function readTarget(text: string, base?: URL): Target {
  const url = text.length > MAX_URL ? null : URL.parse(text, base?.href)
  // The parser's own error would contain the whole URL with its secrets.
  if (url === null) throw invalidRequest('The URL is invalid. Use an absolute http or https URL.')
  const todo = 'Use an http or https URL without a user name and password.'
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw accessDenied({ where: 'The URL', why: 'it is neither http nor https', todo })
  const host = url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
  const port = url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port)
  if (url.username !== '' || url.password !== '')
    throw accessDenied({
      where: `${host}:${port}`,
      why: 'its URL contains a user name or password',
      todo,
    })
  if (!url.hostname.startsWith('[')) url.hostname = host
  url.hash = ''
  return { url, host, port, isAddress: isIP(host) !== 0 }
}

/** Formats the host and port for a message. */
export function formatTarget({ host, port }: Target): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port}`
}
