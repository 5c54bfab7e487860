import { type Buffer, isUtf8 } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import { decodeInTurns, type Pace, type PartedText } from '@surehand/core/host'
import type { Clock, Maybe } from '@surehand/core/ports'
import { bodyTooLarge, edgeError } from './edge-error.ts'
import type { FairTurns } from './fair-turns.ts'
import type { FastPathRequest } from './fast-path/fast-path.ts'
import { freeMemory } from './free-memory/free-memory.ts'
import { readIncoming } from './read-incoming.ts'
import type { RemoteClient } from './remote-address.ts'

/**
 * An HTTP request as the rules of this package see it, whether Node's server or the fast path
 * received it.
 */
export type EdgeRequest = RemoteClient & {
  /**
   * Names and values in turn, as they arrived; undefined where each header is known to have come
   * once.
   */
  readonly rawHeaders: readonly string[] | undefined
  /**
   * The body; throws as soon as it is larger than `maxBytes`. Where the answer is a promise, the
   * bytes belong to the caller alone.
   */
  readonly readBytes: (maxBytes: number) => Maybe<Buffer>
}

/** A request of Node's server. A large body is read in turns with those of other clients. */
export function fromNode(
  request: IncomingMessage,
  { bodies }: { readonly bodies: FairTurns },
): EdgeRequest {
  const { headers } = request
  return {
    header(name) {
      const value = headers[name]
      return typeof value === 'string' ? value : undefined
    },
    rawHeaders: request.rawHeaders,
    peerAddress: () => request.socket.remoteAddress,
    readBytes: (maxBytes) => readIncoming(request, maxBytes, bodies),
  }
}

/** A request of the fast path: its body has arrived, and no header came twice. */
export function fromFastPath({ headers, body, peerAddress }: FastPathRequest): EdgeRequest {
  return {
    header: (name) => headers[name],
    rawHeaders: undefined,
    peerAddress,
    readBytes(maxBytes) {
      if (body.length > maxBytes) throw bodyTooLarge(maxBytes)
      return body
    },
  }
}

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

export type BodyLimits = {
  readonly maxBytes: number
  /** A body that arrives more slowly is refused: it would occupy its connection for minutes. */
  readonly timeoutMs: number
  readonly clock: Clock
}

const JSON_TYPE = /^application\/json\s*(?:;\s*charset="?utf-8"?\s*)?$/i
const FORM_TYPE = /^application\/x-www-form-urlencoded\s*(?:;\s*charset="?utf-8"?\s*)?$/i

export function isJsonType(contentType: string | undefined): boolean {
  return contentType === 'application/json' || JSON_TYPE.test(contentType ?? '')
}

/** The bytes of a JSON body. Answers without a promise where the body has already arrived. */
export function readJsonBytes(request: EdgeRequest, limits: BodyLimits): Maybe<Buffer> {
  // A page of another site can send text/plain without a CORS preflight: only JSON is read as JSON.
  if (!isJsonType(request.header('content-type')))
    throw edgeError('media_type', 'Send JSON, with the header Content-Type: application/json.')
  return readBody(request, limits)
}

/** The text of a large body that has arrived, a part at a time. */
export async function decodeLargeBody(bytes: Buffer, pace: Pace): Promise<PartedText> {
  const text = await decodeInTurns(bytes, pace)
  if (text === undefined) throw notUtf8()
  return text
}

/** A JSON body as text. */
export function readJsonText(request: EdgeRequest, limits: BodyLimits): Maybe<string> {
  const bytes = readJsonBytes(request, limits)
  if (!(bytes instanceof Promise)) return decodeBody(bytes)
  return bytes.then((own) => {
    const text = decodeBody(own)
    freeMemory(own)
    return text
  })
}

/** The fields of an HTML form. */
export async function readForm(request: EdgeRequest, limits: BodyLimits): Promise<URLSearchParams> {
  if (!FORM_TYPE.test(request.header('content-type') ?? ''))
    throw edgeError('media_type', 'Send the form as application/x-www-form-urlencoded.')
  return new URLSearchParams(decodeBody(await readBody(request, limits)))
}

/** The bytes of a body of any type, as they arrived. */
export function readBody(
  request: EdgeRequest,
  { maxBytes, timeoutMs, clock }: BodyLimits,
): Maybe<Buffer> {
  if (request.header('content-encoding') !== undefined)
    throw edgeError('media_type', 'Send the body uncompressed, without Content-Encoding.')
  if (Number(request.header('content-length') ?? 0) > maxBytes) throw bodyTooLarge(maxBytes)
  const bytes = request.readBytes(maxBytes)
  return bytes instanceof Promise ? withTimeout(bytes, timeoutMs, clock) : bytes
}

function withTimeout(bytes: Promise<Buffer>, timeoutMs: number, clock: Clock): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const cancel = clock.after(timeoutMs, () =>
      reject(edgeError('slow_body', `The body did not arrive within ${timeoutMs} ms.`)),
    )
    bytes.then(resolve, reject).finally(cancel)
  })
}

/** The text of a body that has arrived. */
export function decodeBody(bytes: Buffer): string {
  if (!isUtf8(bytes)) throw notUtf8()
  return bytes.toString()
}

// Bytes that are not UTF-8 would be replaced silently, and the tool would get what the client did
// not send.
function notUtf8(): Error {
  return edgeError('malformed', 'The body is not UTF-8.')
}
