import type { Readable, Writable } from 'node:stream'
import { once } from '@surehand/core/ground'
import { isPipe, pipeScreen } from './pipe-screen.ts'

/** Where a command reads and writes; tests hand in their own. */
export type Terminal = {
  readonly stdin: Readable & { readonly isTTY?: boolean | undefined }
  readonly stdout: Screen
  readonly stderr: Screen
  /** Hears the next Ctrl-C instead of the process; the answer stops listening. */
  readonly onInterrupt?: (run: () => void) => () => void
}

export type Screen = Writable & { readonly isTTY?: boolean | undefined; readonly columns?: number | undefined }

/** The process's own terminal. */
export function processTerminal(): Terminal {
  const stdout = once((): Screen => (isPipe(1) ? pipeScreen(1) : process.stdout))
  const stderr = once((): Screen => (isPipe(2) ? pipeScreen(2) : process.stderr))
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
  }
}

/** Is there a person who can be asked? */
export function isInteractive(terminal: Terminal): boolean {
  return terminal.stderr.isTTY === true && terminal.stdin.isTTY === true
}

/** A pipe has no width: nothing is cut there. */
export function widthOf({ isTTY, columns }: Screen): number {
  return isTTY === true ? (columns ?? 80) : Number.POSITIVE_INFINITY
}
