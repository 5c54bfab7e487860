import {
  InsufficientScopeError,
  ProtocolError,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  UnauthorizedError,
} from '@modelcontextprotocol/client'
import { isToolError, ToolError, type ToolErrorCode } from '@surehand/core'
import { fromNetworkFailure, fromProviderStatus, visibleText } from '@surehand/core/host'
import type { EffectTrace } from '@surehand/core/internal'
import type { Deadline } from './deadline.ts'
import type { Hide } from './hide.ts'
import type { MountLimits } from './limits.ts'

/**
 * The JSON-RPC error code that replaces an answer which was too large; outside the reserved range.
 */
export const TOO_LARGE = 71_001
export const STREAM_ENDED = 71_002

export type FailureOptions = {
  readonly server: string
  /** For messages, such as `the call of add`. */
  readonly doing: string
  readonly hide: Hide
  /** Why the connection ended, if the transport knows more than the SDK. */
  readonly ending?: string | undefined
}

type Reading = { readonly code: ToolErrorCode; readonly effect: EffectTrace; readonly says: string }

const LONGEST_TEXT = 2_000

// What JSON-RPC error codes mean, and whether the call may have had an effect.
const readings: Readonly<Record<number, Reading>> = {
  [-32700]: { code: 'TOOL_INVALID_INPUT', effect: 'refused', says: 'could not read' },
  [-32600]: { code: 'TOOL_INVALID_INPUT', effect: 'refused', says: 'refused' },
  [-32601]: { code: 'TOOL_RESOURCE_NOT_FOUND', effect: 'refused', says: 'does not know' },
  [-32602]: { code: 'TOOL_INVALID_INPUT', effect: 'refused', says: 'refused the input of' },
  [-32020]: {
    code: 'TOOL_CONFIGURATION_ERROR',
    effect: 'none',
    says: 'found headers and body at odds in',
  },
  // The server notices the missing capability in the middle of a call.
  [-32021]: {
    code: 'TOOL_DEPENDENCY_ERROR',
    effect: 'possible',
    says: 'asks for a capability that mounted servers may not use, in',
  },
  [-32022]: {
    code: 'TOOL_CONFIGURATION_ERROR',
    effect: 'none',
    says: 'does not speak our protocol version in',
  },
  [-32042]: {
    code: 'TOOL_DEPENDENCY_ERROR',
    effect: 'possible',
    says: 'asks a person to open a page, which mounted servers may not do, in',
  },
  [TOO_LARGE]: {
    code: 'TOOL_INVALID_OUTPUT',
    effect: 'possible',
    says: 'answered with more than is borne to',
  },
  [STREAM_ENDED]: {
    code: 'TOOL_NETWORK_ERROR',
    effect: 'possible',
    says: 'hung up before it answered',
  },
}

/**
 * Turns whatever the SDK throws into a ToolError with the effect on a write. It contains no body,
 * header or stack of the server.
 */
function toToolError(thrown: unknown, options: FailureOptions): ToolError {
  const known = findToolError(thrown)
  if (known !== undefined) return known
  if (thrown instanceof ProtocolError) return protocolError(thrown, options)
  const { server, doing, hide } = options
  if (thrown instanceof SdkHttpError && thrown.status >= 400)
    return fromProviderStatus(
      thrown.status,
      `${server} answered ${doing} with HTTP ${thrown.status}.`,
    )
  if (thrown instanceof InsufficientScopeError)
    return fromProviderStatus(
      403,
      `${server} denied ${doing}: the credential has too few permissions.`,
    )
  if (thrown instanceof UnauthorizedError)
    return fromProviderStatus(401, `${server} requires a credential for ${doing}.`)
  if (thrown instanceof SdkError) return sdkError(thrown, options)
  const failure = fromNetworkFailure(thrown, server)
  return new ToolError(failure.code, hide(failure.message), {
    effect: effectOf(failure),
    cause: nameOnly(thrown, hide),
  })
}

function protocolError(error: ProtocolError, { server, doing, hide }: FailureOptions): ToolError {
  const { code, effect, says } = readings[error.code] ?? {
    code: 'TOOL_EXTERNAL_SERVICE_ERROR',
    effect: 'possible',
    says: 'failed at',
  }
  const text = visibleText(hide(error.message).slice(0, LONGEST_TEXT))
  return new ToolError(code, `${server} ${says} ${doing}: ${text}`, {
    effect,
    details: { source_code: error.code, source_message: text },
  })
}

function sdkError(error: SdkError, options: FailureOptions): ToolError {
  const { server, doing, hide } = options
  const cause = nameOnly(error, hide)
  switch (error.code) {
    case SdkErrorCode.UnsupportedResultType:
      return new ToolError(
        'TOOL_DEPENDENCY_ERROR',
        `${server} asks for further input before it answers ${doing}, which mounted servers may not do.`,
        {
          effect: 'possible',
          cause,
        },
      )
    case SdkErrorCode.InvalidResult:
      return new ToolError(
        'TOOL_INVALID_OUTPUT',
        `${server} answered ${doing} with a message that does not follow the protocol.`,
        {
          effect: 'possible',
          cause,
        },
      )
    case SdkErrorCode.NotConnected:
    case SdkErrorCode.MethodNotSupportedByProtocolVersion:
      return new ToolError('TOOL_RESOURCE_UNAVAILABLE', `${server} is not connected.`, {
        effect: 'none',
        cause,
      })
    default: {
      const ending = options.ending === undefined ? '' : `: ${options.ending}`
      const what =
        error.code === SdkErrorCode.EraNegotiationFailed && ending === ''
          ? 'does not answer as an MCP server does; check its address or command'
          : `was lost during ${doing}${ending}`
      return new ToolError('TOOL_NETWORK_ERROR', `${server} ${what}.`, {
        effect: 'possible',
        cause,
      })
    }
  }
}

// Errors of egress and vault come from the given fetch, and the SDK wraps them.
function findToolError(thrown: unknown, depth = 0): ToolError | undefined {
  if (isToolError(thrown)) return thrown
  if (depth > 4 || !(thrown instanceof Error)) return undefined
  return findToolError(thrown.cause, depth + 1)
}

function effectOf({ effect }: ToolError): EffectTrace {
  return effect ?? 'possible'
}

// SDK errors contain response bodies, which must not be logged.
function nameOnly(thrown: unknown, hide: Hide): Error {
  const name = thrown instanceof Error ? thrown.name : typeof thrown
  const code =
    typeof thrown === 'object' && thrown !== null && 'code' in thrown
      ? ` ${String(thrown.code)}`
      : ''
  return new Error(hide(`${name}${code}`))
}

/** The server that failed, within which deadline. */
export type FailedMount = {
  readonly server: string
  readonly within: Deadline
  readonly limits: MountLimits
  readonly hide: Hide
  /** Why the connection ended, if the transport knows. */
  readonly ending?: string | undefined
}

/** The error of a call that was sent. */
export function callError(thrown: unknown, tool: string, failed: FailedMount): ToolError {
  const { server, within, limits, hide, ending } = failed
  const over = isToolError(thrown) ? undefined : within.over()
  if (over === 'left')
    return new ToolError(
      'TOOL_CANCELLED',
      `The call of ${tool} of ${server} was cancelled after it had been sent.`,
      { effect: 'possible' },
    )
  if (over === 'time')
    return new ToolError(
      'TOOL_EXECUTION_TIMEOUT',
      `${server} did not answer ${tool} in ${limits.callMs} ms.`,
      { effect: 'possible' },
    )
  return toToolError(thrown, { server, doing: `the call of ${tool}`, hide, ending })
}

/** The error of a call that could not be sent, because no connection was ready. */
export function unsentError(
  thrown: unknown,
  { server, within, hide }: Omit<FailedMount, 'limits'>,
): ToolError {
  if (within.over() === 'left')
    return new ToolError('TOOL_CANCELLED', 'The caller has left. Nothing was sent.', {
      effect: 'none',
    })
  if (within.over() === 'time')
    return new ToolError(
      'TOOL_EXECUTION_TIMEOUT',
      `${server} was not ready in time. Nothing was sent.`,
      { effect: 'none' },
    )
  const { code, message, details, cause } = toToolError(thrown, {
    server,
    doing: 'connecting',
    hide,
  })
  return new ToolError(code, message, {
    effect: 'none',
    cause,
    ...(details === undefined ? {} : { details }),
  })
}

/** The error of a connection that could not be opened. */
export function connectError(thrown: unknown, failed: FailedMount): ToolError {
  const { server, within, limits, hide, ending } = failed
  if (within.over() === 'left') return closedError(server)
  if (within.over() === 'time')
    return new ToolError(
      'TOOL_RESOURCE_UNAVAILABLE',
      `${server} cannot be used: it was not ready in ${limits.connectMs} ms.`,
    )
  return toToolError(thrown, { server, doing: 'connecting', hide, ending })
}

/** The error of a list of tools that could not be read. */
export function listError(thrown: unknown, failed: FailedMount): ToolError {
  const { server, within, limits, hide, ending } = failed
  if (within.over() === 'time')
    return new ToolError(
      'TOOL_RESOURCE_UNAVAILABLE',
      `${server} did not list its tools in ${limits.listMs} ms.`,
    )
  return toToolError(thrown, { server, doing: 'listing its tools', hide, ending })
}

export function closedError(server: string): ToolError {
  return new ToolError('TOOL_RESOURCE_UNAVAILABLE', `${server} is no longer mounted.`)
}
