import type { Envelope, ToolErrorCode } from '@surehand/core'
import { errorRow } from '@surehand/core/worker-entry'

export const EXIT_DONE = 0
/** A shell's own word for Ctrl-C. */
export const EXIT_INTERRUPTED = 130

/** The exit code of an answer: that of its error's row in core's table. A job that was accepted is no error. */
export function exitCodeOf({ error }: Pick<Envelope, 'error'>): number {
  return error === undefined ? EXIT_DONE : errorRow(error.code as ToolErrorCode).exit
}
