/** The stream that protocol messages are written to. */
export type ProtocolOutput = {
  /** False when the reader is slower than the writer. */
  readonly write: (line: string) => boolean
  readonly whenDrained: (run: () => void) => void
  /** Runs when the reader has closed the stream. */
  readonly whenBroken: (run: () => void) => void
}

/**
 * Reserves stdout for the protocol: a line that a tool prints there would break the client's
 * parser, so all other output to stdout, console.log included, is redirected to stderr.
 */
export function redirectStdout(): ProtocolOutput {
  const { stdout, stderr } = process
  const write = stdout.write.bind(stdout)
  stdout.write = stderr.write.bind(stderr) as typeof stdout.write
  return {
    write: (line) => write(line),
    whenDrained: (run) => stdout.once('drain', run),
    whenBroken: (run) => stdout.on('error', run),
  }
}
