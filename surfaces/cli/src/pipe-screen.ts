import { fstatSync, write } from 'node:fs'
import { Writable } from 'node:stream'

/** Is the descriptor a pipe or socket, rather than a terminal or a file? */
export function isPipe(descriptor: 1 | 2): boolean {
  try {
    const kind = fstatSync(descriptor)
    return kind.isFIFO() || kind.isSocket()
  } catch {
    // The descriptor is closed; Node reports that itself.
    return false
  }
}

/**
 * Writes to a pipe asynchronously, as Node does. Node would load its socket code for it, which
 * takes longer than most calls.
 */
export function pipeScreen(descriptor: 1 | 2): Writable {
  return new Writable({ write: (piece: Buffer, _, done) => writeWhole(descriptor, piece, done) })
}

const LOOK_MS = 1

function writeWhole(descriptor: number, bytes: Buffer, done: (error?: Error) => void): void {
  write(descriptor, bytes, (trouble, written) => {
    // A non-blocking pipe that is full: without the retry, a long answer would be cut off there.
    if (trouble?.code === 'EAGAIN') setTimeout(writeWhole, LOOK_MS, descriptor, bytes, done)
    // For example EPIPE: the reader has closed the pipe.
    else if (trouble !== null) done(trouble)
    else if (written < bytes.length) writeWhole(descriptor, bytes.subarray(written), done)
    else done()
  })
}
