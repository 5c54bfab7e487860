import { isToolError, ToolError } from '@surehand/core'
import type { Scrubber } from './scrubber.ts'

/** Somebody must agree (again) before tokens can be had. */
export function consentNeeded(credential: string, whose: 'tenant' | 'principal', link: string | undefined): ToolError {
  const who = whose === 'tenant' ? 'An administrator' : 'The person this is done for'
  const command = `surehand credentials authorize ${credential}`
  return new ToolError('TOOL_GATE_CLOSED', `Nothing was sent: "${credential}" has no consent that holds. ${who} must give it (again).`, {
    details: { source_code: 'consent_required', credential, for: whose, command, ...(link === undefined ? {} : { url: link }) },
    suggestions: [link === undefined ? `Run: ${command}` : `Open ${link} to agree, or run: ${command}`],
    effect: 'none',
  })
}

/** The authorization server does not know us any more. */
export function clientRefused(credential: string, code: string): ToolError {
  return new ToolError('TOOL_API_KEY_INVALID', `Nothing was sent: the authorization server of "${credential}" refuses it (${code}).`, {
    details: { source_code: 'client_refused', credential, reason: code },
    suggestions: [`Look at the client's registration there, then set it again: surehand credentials set ${credential}`],
    effect: 'none',
  })
}

export function noSuchCredential(credential: string): ToolError {
  return new ToolError('TOOL_RESOURCE_NOT_FOUND', `There is no credential "${credential}".`, { effect: 'none' })
}

/** A store that was out of reach before the request was finished: the call did nothing, whatever the error says of itself. */
export function nothingSent(thrown: unknown, scrubber: Scrubber): ToolError {
  if (isToolError(thrown) && thrown.effect === 'none') return thrown
  const { code, message, details, suggestions, cause } = scrubber.error(thrown)
  return new ToolError(code, message, {
    ...(details === undefined ? {} : { details }),
    ...(suggestions === undefined ? {} : { suggestions }),
    effect: 'none',
    cause,
  })
}
