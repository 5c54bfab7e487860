import { Buffer } from 'node:buffer'
import type { RequestHead } from './fast-path.ts'
import { MAX_BODY_BYTES, readRequestHead } from './read-request-head.ts'

/** A head that was read, around the digits of its Content-Length. */
type KnownHead = {
  readonly before: Buffer
  readonly after: Buffer
  head: RequestHead
}

const DIGIT_0 = 48
const MAX_DIGITS = 5
// Longer ones are not remembered: an idle connection should occupy little memory.
const MAX_KNOWN_BYTES = 2_048
// A client whose heads differ each time, such as one that sends an idempotency key, gains nothing.
const MAX_MISSES = 4
const LENGTH = /^(.*?\r\ncontent-length: ?)\d+(.*)$/is

/**
 * Reads the heads of one connection. Most clients send the same head again and again, in which
 * only the length of the body changes: such a head is compared with the last one, byte by byte, and
 * not read anew. Their requests share the object of headers; one of them is answered at a time.
 */
export function createHeadReader(): (bytes: Buffer) => RequestHead | undefined {
  let known: KnownHead | undefined
  let misses = 0
  return (bytes) => {
    const repeated = known === undefined ? undefined : readRepeated(bytes, known)
    if (repeated !== undefined) {
      misses = 0
      return repeated
    }
    const head = readRequestHead(bytes)
    known = head === undefined || ++misses > MAX_MISSES ? undefined : toKnownHead(bytes, head)
    return head
  }
}

function toKnownHead(bytes: Buffer, head: RequestHead): KnownHead | undefined {
  if (head.bodyAt > MAX_KNOWN_BYTES) return undefined
  const text = bytes.toString('latin1', 0, head.bodyAt)
  const length = LENGTH.exec(text)
  if (length === null) return undefined
  const [, before = '', after = ''] = length
  return {
    before: Buffer.from(before, 'latin1'),
    after: Buffer.from(after, 'latin1'),
    head,
  }
}

/** Undefined where anything but the length differs, or the length is not the usual number. */
function readRepeated(bytes: Buffer, known: KnownHead): RequestHead | undefined {
  const { before, after, head } = known
  if (bytes.length <= before.length || before.compare(bytes, 0, before.length) !== 0)
    return undefined
  let length = 0
  let at = before.length
  for (; at < before.length + MAX_DIGITS; at++) {
    const digit = (bytes[at] ?? 0) - DIGIT_0
    if (digit < 0 || digit > 9) break
    length = length * 10 + digit
  }
  const bodyAt = at + after.length
  if (at === before.length || length > MAX_BODY_BYTES || bytes[before.length] === DIGIT_0)
    return undefined
  if (bytes.length < bodyAt || after.compare(bytes, at, bodyAt) !== 0) return undefined
  if (head.bodyBytes === length) return head
  Object.assign(head.headers, { 'content-length': String(length) })
  known.head = { ...head, bodyAt, bodyBytes: length }
  return known.head
}
