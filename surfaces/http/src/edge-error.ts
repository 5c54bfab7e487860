import { ToolError, type ToolErrorCode } from '@surehand/core'
import { errorRow } from '@surehand/core/host'

// what only HTTP has a status for; a tool's own error can't claim one, whatever its details say
const statuses = new WeakMap<ToolError, number>()

type Edge = { readonly http: number; readonly code: ToolErrorCode }

/** Trouble of the wire itself, before any tool is asked. */
const EDGE = {
  not_signed_in: { http: 401, code: 'TOOL_INSUFFICIENT_PERMISSIONS' },
  foreign_host: { http: 421, code: 'TOOL_INSUFFICIENT_PERMISSIONS' },
  foreign_origin: { http: 403, code: 'TOOL_INSUFFICIENT_PERMISSIONS' },
  no_such_path: { http: 404, code: 'TOOL_RESOURCE_NOT_FOUND' },
  no_such_tool: { http: 404, code: 'TOOL_NOT_FOUND' },
  slow_body: { http: 408, code: 'TOOL_INVALID_INPUT' },
  body_too_large: { http: 413, code: 'TOOL_INPUT_TOO_LARGE' },
  media_type: { http: 415, code: 'TOOL_INVALID_INPUT' },
  malformed: { http: 400, code: 'TOOL_INVALID_INPUT' },
  too_many_requests: { http: 429, code: 'TOOL_RATE_LIMIT_EXCEEDED' },
} as const satisfies Record<string, Edge>

export function edgeError(
  kind: keyof typeof EDGE,
  message: string,
  details: Readonly<Record<string, unknown>> = {},
): ToolError {
  const { http, code } = EDGE[kind]
  const error = new ToolError(code, message, { details: { source_code: kind, ...details } })
  statuses.set(error, http)
  return error
}

export function statusOfError(error: ToolError): number {
  return statuses.get(error) ?? errorRow(error.code).http
}
