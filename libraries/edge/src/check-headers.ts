import { edgeError } from './edge-error.ts'
import type { EdgeRequest } from './edge-request.ts'
import type { RemoteClient } from './remote-address.ts'

export type AllowedSites = {
  /** Host headers in lower case, with their ports. */
  readonly hosts: ReadonlySet<string>
  /** Origins of pages that may call, exactly as browsers send them. */
  readonly origins: ReadonlySet<string>
}

/**
 * Refuses a request with ambiguous headers, for another host, or from a page of another origin.
 * Without it, a page of another site could call through its visitor's browser (DNS rebinding,
 * foreign forms).
 */
export function checkHeaders(request: EdgeRequest, { hosts, origins }: AllowedSites): void {
  const host = request.header('host')
  const repeated =
    request.rawHeaders === undefined ? undefined : findRepeatedHeader(request.rawHeaders)
  if (repeated !== undefined)
    throw edgeError('malformed', `Send the ${repeated} header once: this request repeats it.`)
  if (host === undefined || host.includes(','))
    throw edgeError('malformed', 'Send exactly one Host header.')
  if (!hosts.has(host.toLowerCase()))
    throw edgeError('foreign_host', 'This host is not served here.')
  const origin = request.header('origin')
  if (origin !== undefined && !origins.has(origin))
    throw edgeError('foreign_origin', 'Pages of this origin may not call here.')
  readIdempotencyKey(request)
}

const QUOTED_KEY = /^"[^"\\]*"$/
const BARE_KEY = /^(?:[\x20-\x21\x23-\x7e][\x20-\x7e]*)?$/

/**
 * The key of the `Idempotency-Key` header; undefined without one. The IETF draft defines a quoted
 * string, clients send bare text: both forms mean the same key. The runtime checks its length.
 */
export function readIdempotencyKey(request: Pick<RemoteClient, 'header'>): string | undefined {
  const value = request.header('idempotency-key')
  if (value === undefined || BARE_KEY.test(value)) return value
  if (QUOTED_KEY.test(value) && /^[\x20-\x7e]*$/.test(value)) return value.slice(1, -1)
  throw edgeError(
    'malformed',
    'The Idempotency-Key header is malformed. Send printable ASCII characters, bare or in one pair of double quotes.',
  )
}

// Node takes the first of two such headers, or joins them; a proxy in front may have taken the
// other one. They are found by their length first, which few other headers share.
const SENT_ONCE: ReadonlyMap<number, string> = new Map(
  ['Host', 'Origin', 'Content-Type', 'Authorization', 'Idempotency-Key'].map((name) => [
    name.length,
    name,
  ]),
)

function findRepeatedHeader(rawHeaders: readonly string[]): string | undefined {
  let seen = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const given = rawHeaders[index] ?? ''
    const name = SENT_ONCE.get(given.length)
    if (name === undefined || given.toLowerCase() !== name.toLowerCase()) continue
    if ((seen & (1 << name.length)) !== 0) return name
    seen |= 1 << name.length
  }
  return undefined
}
