import { isToolError, ToolError } from '@surehand/core'
import type { EffectTrace } from '@surehand/core/internal'
import { errors } from 'undici'
import { Interrupted } from './deadline.ts'

export type Denial = {
  /** `host:port`, never more of the URL: its path and query may contain secrets. */
  readonly where: string
  readonly why: string
  readonly todo: string
}

/**
 * The error for a request that egress refuses. Nothing was sent, and a retry would be refused too.
 */
export function accessDenied({ where, why, todo }: Denial): ToolError {
  return new ToolError(
    'TOOL_RESOURCE_ACCESS_DENIED',
    `${where} was not contacted: ${why}. ${todo}`,
    {
      effect: 'none',
      details: { host: where, reason: why },
      suggestions: [todo],
    },
  )
}

/** The error for a malformed request. The value is not repeated: it may be a secret. */
export function invalidRequest(what: string): ToolError {
  return new ToolError('TOOL_INVALID_FIELD_VALUE', what, { effect: 'none' })
}

export type FailureContext = {
  /** `host:port` of the target. */
  readonly where: string
  /** `none` until the first byte of a request was sent, redirects included. */
  readonly effect: EffectTrace
  /** `host:port` of the first request, where a redirect led away from it. */
  readonly redirectedFrom?: string
}

/** Converts any failure to a `ToolError` that says what is known about the effect. */
export function toEgressError(thrown: unknown, happened: FailureContext): ToolError {
  const { where, effect } = happened
  if (isToolError(thrown))
    return thrown.effect === 'none' && effect !== 'none' ? withEffect(thrown, happened) : thrown
  if (thrown instanceof Interrupted) {
    const code = thrown.why === 'cancelled' ? 'TOOL_CANCELLED' : 'TOOL_EXECUTION_TIMEOUT'
    const message =
      thrown.why === 'cancelled'
        ? `The request to ${where} was cancelled.`
        : `${where} ${thrown.message}.`
    return new ToolError(code, message, { effect })
  }
  const code = codeOf(thrown)
  const options = { effect, cause: thrown }
  if (code !== undefined && INVALID_RESPONSE_CODES.has(code))
    return new ToolError(
      'TOOL_EXTERNAL_SERVICE_ERROR',
      `${where} gave a response that is not valid HTTP or exceeds the limits (${code}).`,
      options,
    )
  return new ToolError(
    'TOOL_NETWORK_ERROR',
    `${where} could not be reached${code === undefined ? '' : ` (${code})`}.`,
    options,
  )
}

// A redirect was refused, but the request before it was sent.
function withEffect(error: ToolError, { effect, redirectedFrom }: FailureContext): ToolError {
  const isElsewhere = redirectedFrom !== undefined && error.details?.host !== redirectedFrom
  const message = isElsewhere
    ? `${error.message} It was reached by a redirect of ${redirectedFrom}.`
    : error.message
  return new ToolError(error.code, message, {
    effect,
    cause: error.cause,
    ...(error.details === undefined ? {} : { details: error.details }),
    ...(error.suggestions === undefined ? {} : { suggestions: error.suggestions }),
  })
}

const INVALID_RESPONSE_CODES = new Set([
  'NOT_HTTP',
  'UND_ERR_HEADERS_OVERFLOW',
  'UND_ERR_RES_CONTENT_LENGTH_MISMATCH',
  'TOO_MANY_INTERIM',
])

function codeOf(thrown: unknown): string | undefined {
  // Its codes are sometimes those of the parser, and sometimes missing.
  if (thrown instanceof errors.HTTPParserError) return 'NOT_HTTP'
  return typeof thrown === 'object' &&
    thrown !== null &&
    'code' in thrown &&
    typeof thrown.code === 'string'
    ? thrown.code
    : undefined
}
