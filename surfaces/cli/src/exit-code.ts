import type { Envelope, ToolErrorCode } from '@surehand/core'
import { errorRow } from '@surehand/core/worker-entry'

export const EXIT_DONE = 0
/** The exit code that shells use for Ctrl-C. */
export const EXIT_INTERRUPTED = 130

/**
 * The exit code of an answer, from the row of its error in core's table. An accepted job is not an
 * error.
 */
export function exitCodeOf({ error }: Pick<Envelope, 'error'>): number {
  return error === undefined ? EXIT_DONE : errorRow(error.code as ToolErrorCode).exit
}
