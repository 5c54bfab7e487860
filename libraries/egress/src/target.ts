import { isIP } from 'node:net'
import { refusal, unsendable } from './refusal.ts'

/** Where a request goes, read once: whatever is judged, looked up, connected to and sent comes from here. */
export type Target = {
  readonly url: URL
  /** Lower case, without brackets and the trailing dot. */
  readonly host: string
  readonly port: number
  readonly isAddress: boolean
}

const MAX_URL = 16_384

/** Reads a URL that somebody supplied; a relative one as seen from `base`. */
export function readTarget(text: string, base?: URL): Target {
  const url = text.length > MAX_URL ? null : URL.parse(text, base?.href)
  // the parser's own error would carry the whole URL, with whatever secret is in it
  if (url === null) throw unsendable('The URL can not be read. Send an absolute http or https URL.')
  const todo = 'Send an http or https URL without a user name and password in it.'
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw refusal({ where: 'The URL', why: 'it is neither http nor https', todo })
  const host = url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
  const port = url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port)
  if (url.username !== '' || url.password !== '')
    throw refusal({
      where: `${host}:${port}`,
      why: 'its URL has a user name or password in it',
      todo,
    })
  if (!url.hostname.startsWith('[')) url.hostname = host
  url.hash = ''
  return { url, host, port, isAddress: isIP(host) !== 0 }
}

/** How a target is named to a person. */
export function whereOf({ host, port }: Target): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port}`
}
