import type { Pace } from '@surehand/core/host'

const BYTES_A_PART = 256 * 1024

/**
 * Pieces of a long answer as parts of a quarter of a megabyte, with a pause before each: joined at
 * once, fifteen megabytes would hold up other requests.
 */
async function* joinInParts(
  pieces: Iterable<Uint8Array>,
  pace: Pace,
): AsyncGenerator<Uint8Array, void> {
  let [part, length]: [Uint8Array[], number] = [[], 0]
  for (const bytes of pieces) {
    part.push(bytes)
    length += bytes.length
    if (length < BYTES_A_PART) continue
    await pace()
    yield Buffer.concat(part, length)
    part = []
    length = 0
  }
  yield Buffer.concat(part, length)
}

/** The pieces as the body of a response: a short one at once. */
export function toBody(
  pieces: readonly Uint8Array[],
  pace: Pace,
): {
  readonly length: number
  readonly body: Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>
} {
  const length = pieces.reduce((sum, { length: bytes }) => sum + bytes, 0)
  return {
    length,
    body:
      length < BYTES_A_PART
        ? Buffer.concat(pieces, length)
        : ReadableStream.from(joinInParts(pieces, pace)),
  }
}
