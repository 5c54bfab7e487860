import type { Buffer } from 'node:buffer'
import type { StraightHead } from './straight-way.ts'

const MOST_HEAD_BYTES = 8_192
export const MOST_BODY_BYTES = 65_536

const LETTER_P = 80
const SPACE = 32
const HEAD_END = '\r\n\r\n'

// tokens, one colon, visible ASCII with single line ends: whatever two readers could take differently is not in it
const NARROW =
  /^POST (\/[\w.~/-]*) HTTP\/1\.1\r\n(?:[\w!#$%&'*+.^`|~-]+: ?[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?\r\n)+$/

// they change where a request ends, or what the connection is afterwards
const ELSEWHERE = [
  'transfer-encoding',
  'expect',
  'upgrade',
  'proxy-connection',
  'http2-settings',
  'te',
  'trailer',
] as const

/** The head of a request in the narrow language; undefined for every other, which Node's parser then judges by its own rules. */
export function readHead(bytes: Buffer): StraightHead | undefined {
  if (bytes[0] !== LETTER_P) return undefined
  const end = bytes.indexOf(HEAD_END, 0, 'latin1')
  if (end < 0 || end > MOST_HEAD_BYTES) return undefined
  const text = bytes.toString('latin1', 0, end + 2)
  const [, path] = NARROW.exec(text) ?? []
  const headers = path === undefined ? undefined : readHeaders(text, bytes)
  if (path === undefined || headers === undefined || headers.host === undefined) return undefined
  if (ELSEWHERE.some((name) => headers[name] !== undefined)) return undefined
  const bodyBytes = lengthOf(headers['content-length'])
  const connection = headers.connection?.toLowerCase() ?? 'keep-alive'
  if (bodyBytes === undefined || (connection !== 'keep-alive' && connection !== 'close'))
    return undefined
  return { path, headers, bodyAt: end + HEAD_END.length, bodyBytes, isLast: connection === 'close' }
}

/** Undefined where a name comes twice. */
function readHeaders(text: string, bytes: Buffer): StraightHead['headers'] | undefined {
  const headers: Record<string, string> = Object.create(null)
  for (let at = text.indexOf('\n') + 1, end = 0; at < text.length; at = end + 2) {
    const colon = text.indexOf(':', at)
    end = text.indexOf('\r', colon)
    const name = text.slice(at, colon).toLowerCase()
    if (headers[name] !== undefined) return undefined
    // from the bytes: a piece of the text would hold all of it in memory wherever the value is kept
    headers[name] = bytes.toString(
      'latin1',
      text.charCodeAt(colon + 1) === SPACE ? colon + 2 : colon + 1,
      end,
    )
  }
  return headers
}

function lengthOf(given: string | undefined): number | undefined {
  if (given === undefined || !/^\d{1,5}$/.test(given)) return undefined
  const length = Number(given)
  return length <= MOST_BODY_BYTES ? length : undefined
}
