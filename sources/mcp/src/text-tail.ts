/** The last of what a stream said, and never more than that. */
export class TextTail {
  private readonly maxBytes: number
  private kept = Buffer.alloc(0)

  constructor(maxBytes: number) {
    this.maxBytes = maxBytes
  }

  add(chunk: Buffer): void {
    const together = Buffer.concat([this.kept, chunk.subarray(-this.maxBytes)])
    this.kept = Buffer.from(together.subarray(-this.maxBytes))
  }

  text(): string {
    return this.kept.toString('utf8')
  }
}
