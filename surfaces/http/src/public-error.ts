import { isToolError, ToolError } from '@surehand/core'
import type { HttpRequest } from './http-request.ts'
import type { Surface } from './options.ts'

/**
 * The error that a client may see. The text of an unexpected exception may contain secrets, so it
 * goes to the log only.
 */
export function toPublicError(thrown: unknown, request: HttpRequest, surface: Surface): ToolError {
  if (isToolError(thrown)) return thrown
  surface.onError(thrown, request.requestId())
  return new ToolError('TOOL_INTERNAL_ERROR', 'Something unexpected failed on the server.', {
    cause: thrown,
  })
}
