import type { Readable, Writable } from 'node:stream'
import { once } from '@surehand/core/worker-entry'
import { isPipe, pipeScreen } from './pipe-screen.ts'

/** Where a command reads and writes; tests hand in their own. */
export type Terminal = {
  readonly stdin: Readable & { readonly isTTY?: boolean | undefined }
  readonly stdout: Screen
  readonly stderr: Screen
  /** Hears the next Ctrl-C instead of the process; the answer stops listening. */
  readonly onInterrupt?: (run: () => void) => () => void
  /** When everything that was written has gone out, or nobody reads it any more. */
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
    // made when they are asked for: most commands read nothing and have nothing to complain of
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
      // once: whoever presses it a second time means it, and the process ends
      process.once('SIGINT', run)
      return () => process.off('SIGINT', run)
    },
    async written() {
      await Promise.all(
        pipes.map((pipe) => new Promise<void>((resolve) => pipe.write('', () => resolve()))),
      )
    },
  }
}

// whoever reads has left: what goes on and on stops as if they had pressed Ctrl-C, and what ends by itself closes its app first
function onPipeError(trouble: NodeJS.ErrnoException): void {
  if (trouble.code !== 'EPIPE') throw trouble
  process.emit('SIGINT')
}

/** Is there a person who can be asked? */
export function isInteractive(terminal: Terminal): boolean {
  return terminal.stderr.isTTY === true && terminal.stdin.isTTY === true
}

/** A pipe has no width: nothing is cut there. */
export function screenWidth({ isTTY, columns }: Screen): number {
  return isTTY === true ? (columns ?? 80) : Number.POSITIVE_INFINITY
}
