import { fstatSync, write } from 'node:fs'
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

/** Writes to a pipe as Node does, behind the back of whoever goes on; but Node loads all that sockets need for it, which takes longer than most calls. */
export function pipeScreen(descriptor: 1 | 2): Writable {
  return new Writable({ write: (piece: Buffer, _, done) => writeWhole(descriptor, piece, done) })
}

const LOOK_MS = 1

function writeWhole(descriptor: number, bytes: Buffer, done: (error?: Error) => void): void {
  write(descriptor, bytes, (trouble, written) => {
    // whoever gave us the pipe made it one that does not wait: without this a long answer would end where it was full
    if (trouble?.code === 'EAGAIN') setTimeout(writeWhole, LOOK_MS, descriptor, bytes, done)
    // nobody reads any more, for one
    else if (trouble !== null) done(trouble)
    else if (written < bytes.length) writeWhole(descriptor, bytes.subarray(written), done)
    else done()
  })
}
