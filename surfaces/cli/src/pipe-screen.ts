import { fstatSync, writeSync } from 'node:fs'
import { Writable } from 'node:stream'

/** Is it read by another program, rather than by a person or later from a file? */
export function isPipe(descriptor: 1 | 2): boolean {
  try {
    const kind = fstatSync(descriptor)
    return kind.isFIFO() || kind.isSocket()
  } catch {
    // closed: what Node makes of that is Node's business
    return false
  }
}

/** Writes at once and whole, as Node does to a pipe; but Node loads all that sockets need for it, which takes longer than most calls. */
export function pipeScreen(descriptor: 1 | 2): Writable {
  return new Writable({
    write(piece: Buffer, _, done) {
      try {
        writeWhole(descriptor, piece)
        done()
      } catch (thrown) {
        // nobody reads any more, for one
        done(thrown as Error)
      }
    },
  })
}

const LOOK_MS = 1

function writeWhole(descriptor: number, bytes: Buffer): void {
  let rest = bytes
  while (rest.length > 0) {
    try {
      rest = rest.subarray(writeSync(descriptor, rest))
    } catch (thrown) {
      // whoever gave us the pipe made it one that does not wait: without this a long answer would end where it was full
      if ((thrown as NodeJS.ErrnoException).code !== 'EAGAIN') throw thrown
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, LOOK_MS)
    }
  }
}
