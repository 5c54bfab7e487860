import { errorRow, type RecoveryStrategy, type ToolErrorCode, type UserAction } from './errors.ts'

/**
 * What an error says about the effect of a write. `none`: nothing was sent or nothing was accepted;
 * the idempotency key is free again. `refused`: the provider refused for good; that is the answer
 * of the key. `possible`: the request was sent and its result is not known; the recovery class of
 * the port decides.
 */
export type EffectTrace = 'none' | 'refused' | 'possible'

export type ToolErrorOptions = {
  readonly details?: Readonly<Record<string, unknown>>
  readonly suggestions?: readonly string[]
  readonly effect?: EffectTrace
  /** Sent beside the error, for tools whose documented output reports failures itself. */
  readonly data?: unknown
  readonly cause?: unknown
}

const brand = Symbol.for('surehand.ToolError')

/**
 * The error class for expected failures: a code of the error table, a message for people, and what
 * is known about the effect.
 *
 * @example
 * throw new ToolError('TOOL_RESOURCE_NOT_FOUND', 'There is no order 17.', {
 *   suggestions: ['List the orders with orders.list.'],
 * })
 */
export class ToolError extends Error {
  readonly code: ToolErrorCode
  readonly details: Readonly<Record<string, unknown>> | undefined
  readonly suggestions: readonly string[] | undefined
  readonly effect: EffectTrace | undefined
  readonly data: unknown
  readonly [brand] = true

  constructor(code: ToolErrorCode, message: string, options: ToolErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.name = 'ToolError'
    this.code = code
    this.details = options.details
    this.suggestions = options.suggestions
    this.effect = options.effect
    this.data = options.data ?? null
  }
}

/**
 * Is it a ToolError? Compares a brand instead of the class, because two copies of this package may
 * be loaded in one process.
 *
 * @example
 * try {
 *   throw new ToolError('TOOL_GATE_CLOSED', 'The shop is closed.')
 * } catch (error) {
 *   if (isToolError(error)) console.log(error.code)
 * }
 */
export function isToolError(value: unknown): value is ToolError {
  return typeof value === 'object' && value !== null && brand in value
}

const nothingHappened: ReadonlySet<ToolErrorCode> = new Set([
  'TOOL_API_KEY_INVALID',
  'TOOL_RATE_LIMIT_EXCEEDED',
  'TOOL_RESOURCE_ACCESS_DENIED',
  'TOOL_GATE_CLOSED',
  'TOOL_INSUFFICIENT_PERMISSIONS',
  'TOOL_CONFIGURATION_ERROR',
])

/**
 * What an error says about an effect that was under way: its own statement, else what its code
 * implies; in doubt `possible`.
 */
export function traceOf(error: ToolError): EffectTrace {
  if (error.effect !== undefined) return error.effect
  if (nothingHappened.has(error.code)) return 'none'
  return errorRow(error.code).status === 'failed' && error.code !== 'TOOL_CANCELLED'
    ? 'refused'
    : 'possible'
}

const UNEXPECTED = 'An unexpected error occurred.'

/**
 * Any thrown value as a ToolError. An exception that is not a ToolError becomes
 * TOOL_INTERNAL_ERROR, which is never retried. Its text may hold a password or personal data, so it
 * stays in `cause` and out of the message.
 */
export function toToolError(thrown: unknown): ToolError {
  if (isToolError(thrown)) return thrown
  if (isAbort(thrown))
    return new ToolError('TOOL_CANCELLED', 'The work was cancelled.', { cause: thrown })
  return new ToolError('TOOL_INTERNAL_ERROR', UNEXPECTED, { cause: thrown })
}

/** Was it made by `toToolError` from an exception that is not a ToolError? */
export function isUnexpected(error: ToolError): boolean {
  return error.code === 'TOOL_INTERNAL_ERROR' && error.message === UNEXPECTED
}

function isAbort(thrown: unknown): boolean {
  return thrown instanceof Error && thrown.name === 'AbortError'
}

export type ErrorRecoveryInfo = {
  readonly error_code: ToolErrorCode
  readonly is_recoverable: boolean
  readonly recovery_strategies: readonly RecoveryStrategy[]
  readonly user_actions: readonly UserAction[]
}

/** How to recover from an error: what a program may do by itself and what a person should do. */
export function recoveryInfo(thrown: unknown): ErrorRecoveryInfo {
  const error = toToolError(thrown)
  const row = errorRow(error.code)
  return {
    error_code: error.code,
    is_recoverable:
      row.retryable ||
      row.strategies.length > 0 ||
      row.actions.some((action) => action.action_type !== 'contact_admin'),
    recovery_strategies: row.strategies,
    user_actions: row.actions,
  }
}

/** The recovery suggestions of an envelope: the error's own, else those of its code. */
export function suggestionsOf(error: ToolError): readonly string[] {
  if (error.suggestions !== undefined) return error.suggestions
  return errorRow(error.code).actions.map((action) => action.description)
}

type Reading = { readonly code: ToolErrorCode; readonly effect: EffectTrace }

// RULES §3: what a provider's status says about the effect. 408, 409 and 425 read as 5xx unless the
// provider declares otherwise.
const readings: Readonly<Record<number, Reading>> = {
  400: { code: 'TOOL_INVALID_FIELD_VALUE', effect: 'refused' },
  401: { code: 'TOOL_API_KEY_INVALID', effect: 'none' },
  403: { code: 'TOOL_RESOURCE_ACCESS_DENIED', effect: 'none' },
  404: { code: 'TOOL_RESOURCE_NOT_FOUND', effect: 'refused' },
  410: { code: 'TOOL_RESOURCE_NOT_FOUND', effect: 'refused' },
  422: { code: 'TOOL_INVALID_FIELD_VALUE', effect: 'refused' },
  429: { code: 'TOOL_RATE_LIMIT_EXCEEDED', effect: 'none' },
}

/** A provider's HTTP refusal as an error of the table, with what it means for a write. */
export function fromProviderStatus(
  status: number,
  message: string,
  details: Readonly<Record<string, unknown>> = {},
): ToolError {
  const reading = readings[status] ?? { code: 'TOOL_EXTERNAL_SERVICE_ERROR', effect: 'possible' }
  return new ToolError(reading.code, message, {
    effect: reading.effect,
    details: { ...details, provider_status: status },
  })
}

// before the first byte: no address, no connection, or no trust in who answered
const neverSent = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ENETUNREACH',
  'EHOSTUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
  'CERT_HAS_EXPIRED',
  'CERT_NOT_YET_VALID',
  'CERT_REVOKED',
  'CERT_UNTRUSTED',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'HOSTNAME_MISMATCH',
  'ERR_TLS_CERT_ALTNAME_INVALID',
])

/**
 * A network failure as an error of the table: before the first byte nothing happened, after it the
 * effect is unknown.
 */
export function fromNetworkFailure(cause: unknown, provider: string): ToolError {
  const code = errnoOf(cause)
  const effect = code !== undefined && neverSent.has(code) ? 'none' : 'possible'
  return new ToolError(
    'TOOL_NETWORK_ERROR',
    `${provider} could not be reached${code === undefined ? '' : ` (${code})`}.`,
    {
      effect,
      cause,
    },
  )
}

// fetch wraps the socket's error in its cause
function errnoOf(thrown: unknown): string | undefined {
  if (typeof thrown !== 'object' || thrown === null) return undefined
  if ('code' in thrown && typeof thrown.code === 'string') return thrown.code
  return 'cause' in thrown ? errnoOf(thrown.cause) : undefined
}
