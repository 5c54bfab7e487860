import type { ToolErrorCode } from './errors.ts'
import { type EffectTrace, ToolError } from './tool-error.ts'

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
