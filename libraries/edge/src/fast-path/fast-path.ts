import type { Buffer } from 'node:buffer'
import type { Maybe } from '@surehand/core/ports'

/**
 * The head of a request in the narrow grammar of `readRequestHead`: each header came once, and
 * nothing in it is ambiguous.
 */
export type RequestHead = {
  readonly path: string
  /** By their names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>
  /** Where the body begins, in bytes from the start of the request. */
  readonly bodyAt: number
  readonly bodyBytes: number
  /** True with `Connection: close`: the client sends no further request on this connection. */
  readonly isLast: boolean
}

/** A request that has arrived completely. */
export type FastPathRequest = Pick<RequestHead, 'path' | 'headers'> & {
  readonly body: Buffer
  /** The address at the other end of the socket. */
  readonly peerAddress: () => string | undefined
  /** Aborts when the client disconnects before it has its response. */
  readonly disconnectSignal: () => AbortSignal
}

export type FastPathResponse = {
  readonly status: number
  /** Includes the content-length, in bytes. */
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
}

/** The requests that a handler can answer on the socket, without Node's HTTP server. */
export type FastPath = {
  /** Called with the head alone, so that a body is awaited only where the handler wants it. */
  readonly accepts: (head: Pick<RequestHead, 'path' | 'headers'>) => boolean
  /**
   * Undefined passes the request on to Node's server; nothing may have been done for it by then.
   */
  readonly respond: (request: FastPathRequest) => Maybe<FastPathResponse | undefined>
  /**
   * Called with what `respond` threw; the client's connection is closed, as Node's server would do.
   */
  readonly onError: (thrown: unknown) => void
}

const MAX_HEAD_BYTES = 8_192
export const MAX_BODY_BYTES = 65_536

const LETTER_P = 80
const SPACE = 32
const HEAD_END = '\r\n\r\n'

// Tokens, one colon, visible ASCII, single line ends: nothing that two HTTP parsers could read
// differently.
const NARROW_HEAD =
  /^POST (\/[\w.~/-]*) HTTP\/1\.1\r\n(?:[\w!#$%&'*+.^`|~-]+: ?[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?\r\n)+$/

// These headers change where a request ends or what the connection becomes; Node's server handles
// them.
const EXCLUDED_HEADERS = [
  'transfer-encoding',
  'expect',
  'upgrade',
  'proxy-connection',
  'http2-settings',
  'te',
  'trailer',
] as const

/**
 * The head of a request in the narrow grammar; undefined for every other request, which Node's
 * parser then judges.
 */
export function readRequestHead(bytes: Buffer): RequestHead | undefined {
  if (bytes[0] !== LETTER_P) return undefined
  const end = bytes.indexOf(HEAD_END, 0, 'latin1')
  if (end < 0 || end > MAX_HEAD_BYTES) return undefined
  const text = bytes.toString('latin1', 0, end + 2)
  const [, path] = NARROW_HEAD.exec(text) ?? []
  const headers = path === undefined ? undefined : readHeaders(text, bytes)
  if (path === undefined || headers === undefined || headers.host === undefined) return undefined
  if (EXCLUDED_HEADERS.some((name) => headers[name] !== undefined)) return undefined
  const bodyBytes = readContentLength(headers['content-length'])
  const connection = headers.connection?.toLowerCase() ?? 'keep-alive'
  if (bodyBytes === undefined || (connection !== 'keep-alive' && connection !== 'close'))
    return undefined
  return { path, headers, bodyAt: end + HEAD_END.length, bodyBytes, isLast: connection === 'close' }
}

/** Undefined where a header is repeated. */
function readHeaders(text: string, bytes: Buffer): RequestHead['headers'] | undefined {
  const headers: Record<string, string> = Object.create(null)
  for (let at = text.indexOf('\n') + 1, end = 0; at < text.length; at = end + 2) {
    const colon = text.indexOf(':', at)
    end = text.indexOf('\r', colon)
    const name = text.slice(at, colon).toLowerCase()
    if (headers[name] !== undefined) return undefined
    // Read from the bytes: a slice of `text` would keep the whole text in memory as long as the
    // value is stored.
    headers[name] = bytes.toString(
      'latin1',
      text.charCodeAt(colon + 1) === SPACE ? colon + 2 : colon + 1,
      end,
    )
  }
  return headers
}

function readContentLength(value: string | undefined): number | undefined {
  if (value === undefined || !/^\d{1,5}$/.test(value)) return undefined
  const length = Number(value)
  return length <= MAX_BODY_BYTES ? length : undefined
}
