import { isToolError, ToolError } from '@surehand/core/worker-entry'

/** Trouble of a driver in our words; what is ours already stays as it is. */
export function storageError(cause: unknown): ToolError {
  if (isToolError(cause)) return cause
  // a driver's own sentence names tables and values: it is for the log, as the cause
  return new ToolError('TOOL_STORAGE_ERROR', 'The database could not do it.', {
    cause: cause instanceof Error ? cause : new Error(String(cause)),
  })
}
