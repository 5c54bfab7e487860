import { isToolError, ToolError } from '@surehand/core'
import type { EffectTrace } from '@surehand/core/internal'
import { errors } from 'undici'
import { Halted } from './patience.ts'

export type Happened = {
  /** `host:port` of the target. */
  readonly where: string
  /** `none` as long as no byte of any request of the trip has left. */
  readonly effect: EffectTrace
  /** `host:port` of where the trip began, when a redirect led away from it. */
  readonly cameFrom?: string
}

/** Whatever ended a trip, as an error of the table that says what is known about the effect. */
export function troubleOf(thrown: unknown, happened: Happened): ToolError {
  const { where, effect } = happened
  if (isToolError(thrown))
    return thrown.effect === 'none' && effect !== 'none' ? restated(thrown, happened) : thrown
  if (thrown instanceof Halted) {
    const code = thrown.why === 'cancelled' ? 'TOOL_CANCELLED' : 'TOOL_EXECUTION_TIMEOUT'
    const message =
      thrown.why === 'cancelled'
        ? `The request to ${where} was given up.`
        : `${where} ${thrown.message}.`
    return new ToolError(code, message, { effect })
  }
  const code = codeOf(thrown)
  const options = { effect, cause: thrown }
  if (code !== undefined && BROKEN_ANSWERS.has(code))
    return new ToolError(
      'TOOL_EXTERNAL_SERVICE_ERROR',
      `${where} answered what is not HTTP, or more of it than is taken (${code}).`,
      options,
    )
  return new ToolError(
    'TOOL_NETWORK_ERROR',
    `${where} could not be reached${code === undefined ? '' : ` (${code})`}.`,
    options,
  )
}

// a later hop was refused, but an earlier one has left
function restated(error: ToolError, { effect, cameFrom }: Happened): ToolError {
  const isElsewhere = cameFrom !== undefined && error.details?.host !== cameFrom
  const message = isElsewhere
    ? `${error.message} A redirect of ${cameFrom} leads there.`
    : error.message
  return new ToolError(error.code, message, {
    effect,
    cause: error.cause,
    ...(error.details === undefined ? {} : { details: error.details }),
    ...(error.suggestions === undefined ? {} : { suggestions: error.suggestions }),
  })
}

const BROKEN_ANSWERS = new Set([
  'NOT_HTTP',
  'UND_ERR_HEADERS_OVERFLOW',
  'UND_ERR_RES_CONTENT_LENGTH_MISMATCH',
  'TOO_MANY_INTERIM',
])

function codeOf(thrown: unknown): string | undefined {
  // its codes are sometimes those of the parser and sometimes missing
  if (thrown instanceof errors.HTTPParserError) return 'NOT_HTTP'
  return typeof thrown === 'object' &&
    thrown !== null &&
    'code' in thrown &&
    typeof thrown.code === 'string'
    ? thrown.code
    : undefined
}
