import type { Pace } from '@surehand/core/host'

// Larger ones are memory that the system has to clear first, and longer writes to the socket.
const BYTES_A_PART = 64 * 1024

/**
 * Pieces of a long answer as parts of 64 KB, with a pause before each: joined at once, fifteen
 * megabytes would hold up other requests.
 */
export async function* joinInParts(
  groups: readonly (readonly Uint8Array[])[],
  pace: Pace,
): AsyncGenerator<Uint8Array, void> {
  let [part, length]: [Uint8Array[], number] = [[], 0]
  for (const pieces of groups)
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

/** The pieces, which have so many bytes, as the body of a response: a short one at once. */
export function toBody(
  groups: readonly (readonly Uint8Array[])[],
  length: number,
  pace: Pace,
): {
  readonly length: number
  readonly body: Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>
} {
  return {
    length,
    body:
      length < BYTES_A_PART
        ? Buffer.concat(groups.flat(), length)
        : ReadableStream.from(joinInParts(groups, pace)),
  }
}
