import { closeSync, constants, fstatSync, openSync, readSync, write } from 'node:fs'
import { type Readable, Writable } from 'node:stream'
import { styleText } from 'node:util'
import { once } from '@surehand/core/worker-entry'

/** Where a command reads and writes; tests hand in their own. */
export type Terminal = {
  readonly stdin: Readable & { readonly isTTY?: boolean | undefined }
  readonly stdout: Screen
  readonly stderr: Screen
  /** Handles the next Ctrl-C instead of the process; the returned function stops listening. */
  readonly onInterrupt?: (run: () => void) => () => void
  /** Discards what was typed and not read yet. */
  readonly discardTyped?: () => void
  /**
   * The words that printed commands begin with: the program and the flags that say where it goes.
   * Without the flags, a command that was copied from the screen would go elsewhere.
   */
  readonly program?: string
  /** Resolves when everything written has gone out, or its reader has closed the pipe. */
  readonly written?: () => Promise<void>
}

export type Screen = Writable & {
  readonly isTTY?: boolean | undefined
  readonly columns?: number | undefined
}

/** The process's own terminal. */
export function processTerminal(): Terminal {
  const pipes: Writable[] = []
  const openPipe = (descriptor: 1 | 2): Screen => {
    const screen = pipeScreen(descriptor).on('error', onPipeError)
    pipes.push(screen)
    return screen
  }
  const stdout = once((): Screen => (isPipe(1) ? openPipe(1) : process.stdout))
  const stderr = once((): Screen => (isPipe(2) ? openPipe(2) : process.stderr))
  return {
    // Opened on first use: most commands read nothing and write no errors, and opening costs time.
    get stdin() {
      return process.stdin
    },
    get stdout() {
      return stdout()
    },
    get stderr() {
      return stderr()
    },
    onInterrupt(run) {
      // Once: a second Ctrl-C ends the process.
      process.once('SIGINT', run)
      return () => process.off('SIGINT', run)
    },
    discardTyped: discardTypedInput,
    async written() {
      await Promise.all(
        pipes.map((pipe) => new Promise<void>((resolve) => pipe.write('', () => resolve()))),
      )
    },
  }
}

/**
 * Reads away what waits in the terminal's queue. In raw mode, because a line that was not ended
 * cannot be read before; without blocking, so that the end of the queue is seen at once.
 */
function discardTypedInput(): void {
  const { stdin } = process
  if (!stdin.isTTY) return
  const wasRaw = stdin.isRaw
  stdin.setRawMode(true)
  try {
    const terminal = openSync('/dev/tty', constants.O_RDONLY | constants.O_NONBLOCK)
    try {
      const typed = Buffer.alloc(1_024)
      while (readSync(terminal, typed) > 0);
    } finally {
      closeSync(terminal)
    }
  } catch {
    // EAGAIN: the queue is empty. Without a terminal of its own the process has no queue to read.
  }
  stdin.setRawMode(wasRaw)
}

// The reader has closed the pipe: a command that runs on is stopped as by Ctrl-C, so that it closes
// its app first.
function onPipeError(trouble: NodeJS.ErrnoException): void {
  if (trouble.code !== 'EPIPE') throw trouble
  process.emit('SIGINT')
}

/** The command that a printed line suggests, as it must be typed here. */
export function commandHere({ program = 'surehand' }: Terminal, command: string): string {
  return command.replace(/^surehand(?= |$)/, program)
}

/**
 * Text in a colour, where the screen has colours: NO_COLOR switches them off, FORCE_COLOR on, and a
 * pipe has none.
 */
export function paint(screen: Screen, style: Style, text: string): string {
  return styleText(style, text, { stream: screen })
}

type Style = 'red' | 'yellow' | 'dim' | 'bold'

/** Is there a terminal on which a person can be asked? */
export function isInteractive(terminal: Terminal): boolean {
  return terminal.stderr.isTTY === true && terminal.stdin.isTTY === true
}

/** The width in columns. A pipe has none, so nothing is truncated there. */
export function screenWidth({ isTTY, columns }: Screen): number {
  return isTTY === true ? (columns ?? 80) : Number.POSITIVE_INFINITY
}

/** Is the descriptor a pipe or socket, rather than a terminal or a file? */
function isPipe(descriptor: 1 | 2): boolean {
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
function pipeScreen(descriptor: 1 | 2): Writable {
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
