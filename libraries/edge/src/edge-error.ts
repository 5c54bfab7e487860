import { ToolError, type ToolErrorCode } from '@surehand/core'
import { errorRow } from '@surehand/core/host'

type Refusal = { readonly status: number; readonly code: ToolErrorCode }

/**
 * Why a request is refused before any tool runs. The key is the `source_code` of the error's
 * details.
 */
const REFUSALS = {
  not_signed_in: { status: 401, code: 'TOOL_INSUFFICIENT_PERMISSIONS' },
  foreign_host: { status: 421, code: 'TOOL_INSUFFICIENT_PERMISSIONS' },
  foreign_origin: { status: 403, code: 'TOOL_INSUFFICIENT_PERMISSIONS' },
  no_such_path: { status: 404, code: 'TOOL_RESOURCE_NOT_FOUND' },
  no_such_tool: { status: 404, code: 'TOOL_NOT_FOUND' },
  slow_body: { status: 408, code: 'TOOL_INVALID_INPUT' },
  body_too_large: { status: 413, code: 'TOOL_INPUT_TOO_LARGE' },
  media_type: { status: 415, code: 'TOOL_INVALID_INPUT' },
  malformed: { status: 400, code: 'TOOL_INVALID_INPUT' },
  too_many_requests: { status: 429, code: 'TOOL_RATE_LIMIT_EXCEEDED' },
} as const satisfies Record<string, Refusal>

export type RefusalKind = keyof typeof REFUSALS

// Kept beside the error and not in its details: a tool's own error could otherwise choose its
// status.
const statuses = new WeakMap<ToolError, number>()

/**
 * The error of a request that a remote surface refuses by itself; each surface writes it in its own
 * envelope.
 */
export function edgeError(
  kind: RefusalKind,
  message: string,
  details: Readonly<Record<string, unknown>> = {},
): ToolError {
  const { status, code } = REFUSALS[kind]
  const error = new ToolError(code, message, { details: { source_code: kind, ...details } })
  statuses.set(error, status)
  return error
}

/**
 * The HTTP status of an error: of the refusal that `edgeError` made, else of its code in the error
 * table.
 */
export function httpStatusOf(error: ToolError): number {
  return statuses.get(error) ?? errorRow(error.code).http
}

// A database that restarts, a tool that is being enabled: most of it is over soon.
const UNAVAILABLE_SECONDS = 2

/**
 * When a client may try again, for the header Retry-After: what the error says, and a short time for
 * every 503.
 */
export function retryAfterSeconds(error: ToolError): number | undefined {
  const waitMs = error.details?.retry_after_ms
  if (typeof waitMs === 'number') return Math.ceil(waitMs / 1_000)
  return httpStatusOf(error) === 503 ? UNAVAILABLE_SECONDS : undefined
}

export function bodyTooLarge(maxBytes: number): ToolError {
  return edgeError('body_too_large', `The body is larger than the allowed ${maxBytes} bytes.`, {
    max_bytes: maxBytes,
  })
}
