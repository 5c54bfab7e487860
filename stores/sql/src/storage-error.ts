import { isToolError, ToolError } from '@surehand/core/worker-entry'

/** Turns a driver's error into a ToolError; a ToolError stays as it is. */
export function storageError(cause: unknown): ToolError {
  if (isToolError(cause)) return cause
  // The driver's message names tables and values, so it is only attached as the cause, for the log.
  return new ToolError('TOOL_STORAGE_ERROR', 'The database could not do it.', {
    cause: cause instanceof Error ? cause : new Error(String(cause)),
  })
}
