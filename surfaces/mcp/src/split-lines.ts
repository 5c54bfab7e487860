import { Buffer } from 'node:buffer'

export type LineConsumer = { readonly line: (bytes: Buffer) => void; readonly tooLong: () => void }
export type LineSplitter = {
  readonly take: (chunk: Buffer) => void
  /** The stream has ended: what remains without a line end is a line too. */
  readonly end: () => void
}

const LINE_FEED = 10
const CARRIAGE_RETURN = 13

/**
 * Splits a stream into lines. A line that is too long is reported once and skipped, without storing
 * it.
 */
export function createLineSplitter(maxBytes: () => number, consumer: LineConsumer): LineSplitter {
  let parts: Buffer[] = []
  let size = 0
  let isTooLong = false

  function add(part: Buffer): void {
    size += part.length
    if (isTooLong) return
    parts.push(part)
    if (size <= maxBytes()) return
    isTooLong = true
    parts = []
    consumer.tooLong()
  }

  function end(): void {
    const bytes = parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts)
    parts = []
    size = 0
    isTooLong = false
    const line = bytes.at(-1) === CARRIAGE_RETURN ? bytes.subarray(0, -1) : bytes
    if (line.length > 0) consumer.line(line)
  }

  return {
    take(chunk) {
      let from = 0
      for (let at = chunk.indexOf(LINE_FEED); at >= 0; at = chunk.indexOf(LINE_FEED, from)) {
        add(chunk.subarray(from, at))
        end()
        from = at + 1
      }
      if (from < chunk.length) add(chunk.subarray(from))
    },
    end,
  }
}
