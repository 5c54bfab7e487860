/** A line of a stream, or both ends of a line that was too long. */
export type Line =
  | { readonly kind: 'line'; readonly text: string; readonly bytes: number }
  | { readonly kind: 'long'; readonly head: string; readonly tail: string; readonly bytes: number }

const NEWLINE = 10
// Enough to find the id of an answer, which is at one of its ends.
const END_BYTES = 512

/** Splits a stream into lines and never buffers more than one line of the allowed length. */
export class LineReader {
  private readonly maxBytes: number
  private pieces: Buffer[] = []
  private head = Buffer.alloc(0)
  private length = 0

  constructor(maxBytes: number) {
    this.maxBytes = maxBytes
  }

  /** Bytes of the current, unfinished line. */
  get openBytes(): number {
    return this.length
  }

  *read(chunk: Buffer): Generator<Line> {
    let rest = chunk
    for (let end = rest.indexOf(NEWLINE); end >= 0; end = rest.indexOf(NEWLINE)) {
      this.take(rest.subarray(0, end))
      rest = rest.subarray(end + 1)
      yield this.finish()
    }
    if (rest.length > 0) this.take(rest)
  }

  private take(piece: Buffer): void {
    if (this.head.length < END_BYTES)
      this.head = Buffer.concat([this.head, piece.subarray(0, END_BYTES - this.head.length)])
    this.length += piece.length
    this.pieces.push(piece)
    // Of a line that is too long only the end is kept.
    if (this.length > this.maxBytes)
      this.pieces = [Buffer.from(Buffer.concat(this.pieces.slice(-END_BYTES)).subarray(-END_BYTES))]
  }

  private finish(): Line {
    const whole = Buffer.concat(this.pieces)
    const bytes = this.length
    const line: Line =
      bytes > this.maxBytes
        ? {
            kind: 'long',
            head: this.head.toString('utf8'),
            tail: whole.subarray(-END_BYTES).toString('utf8'),
            bytes,
          }
        : { kind: 'line', text: whole.toString('utf8'), bytes }
    this.pieces = []
    this.head = Buffer.alloc(0)
    this.length = 0
    return line
  }
}
