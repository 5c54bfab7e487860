import { isToolError, ToolError } from '@surehand/core/worker-entry'

/**
 * Turns a driver's error into a ToolError; a ToolError stays as it is. It does not say whether the
 * write happened: see `undoneError`.
 */
export function storageError(cause: unknown): ToolError {
  if (isToolError(cause)) return cause
  // The driver's message names tables and values, so it is only attached as the cause, for the log.
  return new ToolError('TOOL_STORAGE_ERROR', 'The database could not do it.', {
    cause: cause instanceof Error ? cause : new Error(String(cause)),
  })
}

/** The same for a write that is known to have been rolled back, or never to have been sent. */
export function undoneError(cause: unknown): ToolError {
  const error = storageError(cause)
  if (error.code !== 'TOOL_STORAGE_ERROR' || error.effect !== undefined) return error
  return new ToolError(error.code, `${error.message} Nothing was written.`, {
    ...(error.details === undefined ? {} : { details: error.details }),
    effect: 'none',
    cause: error.cause,
  })
}
