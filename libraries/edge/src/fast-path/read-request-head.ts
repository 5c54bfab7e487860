import type { Buffer } from 'node:buffer'
import type { RequestHead } from './fast-path.ts'

const MAX_HEAD_BYTES = 8_192
export const MAX_BODY_BYTES = 65_536

const LETTER_P = 80
const SPACE = 32
const HEAD_END = '\r\n\r\n'

// Tokens, one colon, visible ASCII, single line ends: nothing that two HTTP parsers could read
// differently.
const NARROW_HEAD =
  /^POST (\/[\w.~/-]*)(\?[\w.~!$&'()*+,;=:@%/?-]*)? HTTP\/1\.([01])\r\n(?:[\w!#$%&'*+.^`|~-]+: ?[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?\r\n)+$/

// These headers change where a request ends or what the connection becomes; Node's server handles
// them. `TE` is none of them: it says which codings the client understands in the response.
const EXCLUDED_HEADERS = [
  'expect',
  'upgrade',
  'proxy-connection',
  'http2-settings',
  'trailer',
] as const

// A client that sends `TE` names it here too.
const CONNECTION = /^(?:te, ?)?(keep-alive|close)(?:, ?te)?$|^te$/

/**
 * The head of a request in the narrow grammar; undefined for every other request, which Node's
 * parser then judges.
 */
export function readRequestHead(bytes: Buffer): RequestHead | undefined {
  if (bytes[0] !== LETTER_P) return undefined
  const end = bytes.indexOf(HEAD_END, 0, 'latin1')
  if (end < 0 || end > MAX_HEAD_BYTES) return undefined
  const text = bytes.toString('latin1', 0, end + 2)
  const { 1: path, 2: query = '', 3: minor } = NARROW_HEAD.exec(text) ?? []
  const headers = path === undefined ? undefined : readHeaders(text, bytes)
  if (path === undefined || headers === undefined || headers.host === undefined) return undefined
  if (EXCLUDED_HEADERS.some((name) => headers[name] !== undefined)) return undefined
  const isOld = minor === '0'
  const bodyBytes = readBodyLength(headers, isOld)
  const isLast = readIsLast(headers.connection, isOld)
  if (bodyBytes === undefined || isLast === undefined) return undefined
  const takesChunks = !isOld
  return { path, query, headers, bodyAt: end + HEAD_END.length, bodyBytes, isLast, takesChunks }
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

/**
 * Undefined where the length is not given in exactly one way: a request with two is how requests
 * are smuggled, and HTTP/1.0 knows no chunks.
 */
function readBodyLength(
  headers: RequestHead['headers'],
  isOld: boolean,
): RequestHead['bodyBytes'] | undefined {
  const { 'content-length': length, 'transfer-encoding': coding } = headers
  if (coding !== undefined)
    return coding === 'chunked' && length === undefined && !isOld ? coding : undefined
  if (length === undefined || !/^\d{1,5}$/.test(length)) return undefined
  const bytes = Number(length)
  return bytes <= MAX_BODY_BYTES ? bytes : undefined
}

/** Undefined where the header asks for more than to keep the connection or to close it. */
function readIsLast(connection: string | undefined, isOld: boolean): boolean | undefined {
  if (connection === undefined) return isOld
  if (connection === 'keep-alive') return false
  const [found, after] = CONNECTION.exec(connection.toLowerCase()) ?? []
  if (found === undefined) return undefined
  return after === undefined ? isOld : after === 'close'
}
