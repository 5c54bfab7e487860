import { isToolError, ToolError } from '@surehand/core'

/** Trouble of a driver in our words; what is ours already stays as it is. */
export function storageError(cause: unknown): ToolError {
  if (isToolError(cause)) return cause
  const reason = cause instanceof Error ? cause.message : String(cause)
  return new ToolError('TOOL_STORAGE_ERROR', `The database could not do it: ${reason}`, { cause })
}
