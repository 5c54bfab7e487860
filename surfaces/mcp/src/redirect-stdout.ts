/** Where lines of the protocol go. */
export type ProtocolOutput = {
  /** False when whoever reads is behind. */
  readonly write: (line: string) => boolean
  readonly whenDrained: (run: () => void) => void
  /** Nobody reads any more. */
  readonly whenBroken: (run: () => void) => void
}

/**
 * The real stdout for the protocol alone. One line that a tool prints there would break the client's parser,
 * so whatever else writes to stdout (console.log too) comes out on stderr.
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
