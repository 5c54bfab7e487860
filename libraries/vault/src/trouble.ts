import { isToolError, ToolError } from '@surehand/core'
import type { Scrubber } from './scrubber.ts'

/** Somebody must agree (again) before tokens can be had. */
export function consentNeeded(
  credential: string,
  whose: 'tenant' | 'principal',
  link: string | undefined,
): ToolError {
  const who = whose === 'tenant' ? 'An administrator' : 'The person this is done for'
  const command = `surehand credentials authorize ${credential}`
  return new ToolError(
    'TOOL_GATE_CLOSED',
    `Nothing was sent: "${credential}" has no consent that holds. ${who} must give it (again).`,
    {
      details: {
        source_code: 'consent_required',
        credential,
        for: whose,
        command,
        ...(link === undefined ? {} : { url: link }),
      },
      suggestions: [
        link === undefined ? `Run: ${command}` : `Open ${link} to agree, or run: ${command}`,
      ],
      effect: 'none',
    },
  )
}

/** The authorization server does not know us any more. */
export function clientRefused(credential: string, code: string): ToolError {
  return new ToolError(
    'TOOL_API_KEY_INVALID',
    `Nothing was sent: the authorization server of "${credential}" refuses it (${code}).`,
    {
      details: { source_code: 'client_refused', credential, reason: code },
      suggestions: [
        `Look at the client's registration there, then set it again: surehand credentials set ${credential}`,
      ],
      effect: 'none',
    },
  )
}

export function noSuchCredential(credential: string): ToolError {
  return new ToolError('TOOL_RESOURCE_NOT_FOUND', `There is no credential "${credential}".`, {
    effect: 'none',
  })
}

export const KEY_LOST = 'credential_key_lost'

/** Which one it is, why, and the mend; whoever lists the others goes on. */
export function doesNotOpen({ id }: { readonly id: string }, thrown: unknown): ToolError {
  if (!isToolError(thrown)) throw thrown
  const [what = '', credential = ''] = id.split(':')
  const isLost = thrown.code === 'TOOL_CONFIGURATION_ERROR'
  const called =
    what === 'vault'
      ? `The credential "${credential}"`
      : `What was granted with the credential "${credential}"`
  const again =
    what === 'vault'
      ? `Set the credential again: surehand credentials set ${credential}`
      : `Agree again: surehand credentials authorize ${credential}. Where nobody has to agree, take the credential away and set it again.`
  const first = isLost
    ? 'Put the old key back behind the newest in the file of keys, then run: surehand keys reseal'
    : 'Find out who else writes to the database, or what became of its disk.'
  return new ToolError(thrown.code, `${called} does not open. ${whyOf(thrown)}`, {
    details: { source_code: isLost ? KEY_LOST : 'credential_tampered', credential },
    suggestions: [first, again],
    effect: 'none',
    cause: thrown,
  })
}

// the stores name what they could not open, in their own words, and say why in the cause
function whyOf(thrown: ToolError): string {
  return isToolError(thrown.cause) ? thrown.cause.message : thrown.message
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
