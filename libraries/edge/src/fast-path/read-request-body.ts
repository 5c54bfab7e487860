import { Buffer } from 'node:buffer'
import type { RequestHead } from './fast-path.ts'
import { MAX_BODY_BYTES } from './read-request-head.ts'

/** The body of a request, and where the next request begins. */
export type RequestBody = { readonly body: Buffer; readonly end: number }

// A body in more chunks than these is read by Node's server.
const MAX_CHUNKS = 32
const MAX_SIZE_DIGITS = 5
const CR = 13
const LF = 10

/**
 * The body behind a head in the narrow grammar; 'incomplete' where more bytes of it must arrive,
 * undefined where Node's server has to judge it. Chunks are read without extensions and trailers,
 * in which parsers disagree.
 */
export function readRequestBody(
  { bodyAt, bodyBytes }: Pick<RequestHead, 'bodyAt' | 'bodyBytes'>,
  bytes: Buffer,
): RequestBody | 'incomplete' | undefined {
  if (bodyBytes === 'chunked') return readChunks(bytes, bodyAt)
  const end = bodyAt + bodyBytes
  return bytes.length < end ? 'incomplete' : { body: bytes.subarray(bodyAt, end), end }
}

function readChunks(bytes: Buffer, from: number): RequestBody | 'incomplete' | undefined {
  const chunks: Buffer[] = []
  let total = 0
  for (let at = from; chunks.length <= MAX_CHUNKS; ) {
    const line = readSizeLine(bytes, at)
    if (line === undefined || line === 'incomplete') return line
    const end = line.end + line.size
    total += line.size
    if (total > MAX_BODY_BYTES) return undefined
    const lineEnd = readLineEnd(bytes, end)
    if (lineEnd !== 'found') return lineEnd
    if (line.size === 0)
      return {
        body: chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks, total),
        end: end + 2,
      }
    chunks.push(bytes.subarray(line.end, end))
    at = end + 2
  }
  return undefined
}

function readSizeLine(
  bytes: Buffer,
  at: number,
): { readonly size: number; readonly end: number } | 'incomplete' | undefined {
  let size = 0
  let digits = 0
  for (; digits <= MAX_SIZE_DIGITS; digits++) {
    const value = hexValue(bytes[at + digits])
    if (value < 0) break
    size = size * 16 + value
  }
  if (digits > MAX_SIZE_DIGITS) return undefined
  if (at + digits >= bytes.length) return 'incomplete'
  if (digits === 0) return undefined
  const lineEnd = readLineEnd(bytes, at + digits)
  return lineEnd === 'found' ? { size, end: at + digits + 2 } : lineEnd
}

function readLineEnd(bytes: Buffer, at: number): 'found' | 'incomplete' | undefined {
  if (at >= bytes.length) return 'incomplete'
  if (bytes[at] !== CR) return undefined
  if (at + 1 >= bytes.length) return 'incomplete'
  return bytes[at + 1] === LF ? 'found' : undefined
}

/** -1 where the byte is no hexadecimal digit. */
function hexValue(byte: number | undefined): number {
  if (byte === undefined) return -1
  if (byte >= 48 && byte <= 57) return byte - 48
  const letter = byte | 32
  return letter >= 97 && letter <= 102 ? letter - 87 : -1
}
