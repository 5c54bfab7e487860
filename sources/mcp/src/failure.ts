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
import type { Hide } from './hide.ts'

/** Our own words in the place of an answer: JSON-RPC leaves these numbers to whoever wants them. */
export const TOO_LARGE = 71_001
export const STREAM_ENDED = 71_002

export type FailureOptions = {
  readonly server: string
  /** As in `the call of add`. */
  readonly doing: string
  readonly hide: Hide
  /** What became of the connection, where that is known better than by the SDK. */
  readonly ending?: string | undefined
}

type Reading = { readonly code: ToolErrorCode; readonly effect: EffectTrace; readonly says: string }

const LONGEST_TEXT = 2_000

// what a server's JSON-RPC error means: asked for in vain before anything began, or who knows
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
  // a server finds out that it may not ask when its tool is half through
  [-32021]: {
    code: 'TOOL_DEPENDENCY_ERROR',
    effect: 'possible',
    says: 'asks for a capability that mounted servers are not given, in',
  },
  [-32022]: {
    code: 'TOOL_CONFIGURATION_ERROR',
    effect: 'none',
    says: 'does not speak our protocol version in',
  },
  [-32042]: {
    code: 'TOOL_DEPENDENCY_ERROR',
    effect: 'possible',
    says: 'asks a person to open a page, which mounted servers can not, in',
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

/** Whatever the SDK throws as an error of the table, with what it means for a write. No body, header or stack of a stranger is in it. */
export function failureOf(thrown: unknown, options: FailureOptions): ToolError {
  const known = toolErrorIn(thrown)
  if (known !== undefined) return known
  if (thrown instanceof ProtocolError) return protocolFailure(thrown, options)
  const { server, doing, hide } = options
  if (thrown instanceof SdkHttpError && thrown.status >= 400)
    return fromProviderStatus(
      thrown.status,
      `${server} answered ${doing} with HTTP ${thrown.status}.`,
    )
  if (thrown instanceof InsufficientScopeError)
    return fromProviderStatus(
      403,
      `${server} denied ${doing}: the credential does not reach far enough.`,
    )
  if (thrown instanceof UnauthorizedError)
    return fromProviderStatus(401, `${server} asks for a credential for ${doing}.`)
  if (thrown instanceof SdkError) return sdkFailure(thrown, options)
  const failure = fromNetworkFailure(thrown, server)
  return new ToolError(failure.code, hide(failure.message), {
    effect: traceOf(failure),
    cause: namedOnly(thrown, hide),
  })
}

function protocolFailure(error: ProtocolError, { server, doing, hide }: FailureOptions): ToolError {
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

function sdkFailure(error: SdkError, options: FailureOptions): ToolError {
  const { server, doing, hide } = options
  const cause = namedOnly(error, hide)
  switch (error.code) {
    case SdkErrorCode.UnsupportedResultType:
      return new ToolError(
        'TOOL_DEPENDENCY_ERROR',
        `${server} asks for more before it answers ${doing}; mounted servers can not ask anybody.`,
        {
          effect: 'possible',
          cause,
        },
      )
    case SdkErrorCode.InvalidResult:
      return new ToolError(
        'TOOL_INVALID_OUTPUT',
        `${server} answered ${doing} with something that is not the protocol.`,
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
      return new ToolError('TOOL_NETWORK_ERROR', `${server} was lost during ${doing}${ending}.`, {
        effect: 'possible',
        cause,
      })
    }
  }
}

// egress and vault speak through the fetch they hand in, and the SDK wraps what they say
function toolErrorIn(thrown: unknown, depth = 0): ToolError | undefined {
  if (isToolError(thrown)) return thrown
  if (depth > 4 || !(thrown instanceof Error)) return undefined
  return toolErrorIn(thrown.cause, depth + 1)
}

function traceOf({ effect }: ToolError): EffectTrace {
  return effect ?? 'possible'
}

// the SDK keeps bodies in its errors; a log would write them down
function namedOnly(thrown: unknown, hide: Hide): Error {
  const name = thrown instanceof Error ? thrown.name : typeof thrown
  const code =
    typeof thrown === 'object' && thrown !== null && 'code' in thrown
      ? ` ${String(thrown.code)}`
      : ''
  return new Error(hide(`${name}${code}`))
}
