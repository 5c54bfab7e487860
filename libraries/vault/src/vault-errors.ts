import { isToolError, ToolError } from '@surehand/core'
import type { Scrubber } from './scrubber.ts'

/** A person must consent, possibly again, before tokens can be requested. */
export function consentRequired(
  credential: string,
  whose: 'tenant' | 'principal',
  link: string | undefined,
): ToolError {
  const who = whose === 'tenant' ? 'An administrator' : 'The person on whose behalf the call runs'
  const command = `surehand credentials authorize ${credential}`
  return new ToolError(
    'TOOL_GATE_CLOSED',
    `Nothing was sent: "${credential}" has no valid consent. ${who} must consent first.`,
    {
      details: {
        source_code: 'consent_required',
        credential,
        for: whose,
        command,
        ...(link === undefined ? {} : { url: link }),
      },
      suggestions: [
        link === undefined ? `Run: ${command}` : `Open ${link} to consent, or run: ${command}`,
      ],
      effect: 'none',
    },
  )
}

/** The authorization server rejects the client. */
export function clientRejected(credential: string, code: string): ToolError {
  return new ToolError(
    'TOOL_API_KEY_INVALID',
    `Nothing was sent: the authorization server of "${credential}" rejected the request (${code}).`,
    {
      details: { source_code: 'client_refused', credential, reason: code },
      suggestions: [
        `Check the client's registration there, then set the credential again: surehand credentials set ${credential}`,
      ],
      effect: 'none',
    },
  )
}

export function credentialNotFound(credential: string): ToolError {
  return new ToolError('TOOL_RESOURCE_NOT_FOUND', `There is no credential "${credential}".`, {
    effect: 'none',
  })
}

/** A mounted server was started that needs secrets, and they are not there. */
export function environmentMissing(credential: string, server: string): ToolError {
  return new ToolError(
    'TOOL_CONFIGURATION_ERROR',
    `Nothing was sent: the server "${server}" needs variables from the vault, and this tenant has no credential "${credential}" for it.`,
    {
      details: { source_code: 'credential_missing', credential, server },
      suggestions: [
        `Run: surehand credentials set ${credential} --kind environment --server ${server} --variable NAME`,
      ],
      effect: 'none',
    },
  )
}

export const KEY_LOST = 'credential_key_lost'

/**
 * Names the credential, the reason and what to do, so that a list can show it and go on with the
 * others.
 */
export function cannotDecrypt({ id }: { readonly id: string }, thrown: unknown): ToolError {
  if (!isToolError(thrown)) throw thrown
  const [what = '', credential = ''] = id.split(':')
  const isLost = thrown.code === 'TOOL_CONFIGURATION_ERROR'
  const subject =
    what === 'vault'
      ? `The credential "${credential}"`
      : `The tokens of the credential "${credential}"`
  const again =
    what === 'vault'
      ? `Set the credential again: surehand credentials set ${credential}`
      : `Consent again: surehand credentials authorize ${credential}. A credential without consent must be removed and set again.`
  const first = isLost
    ? 'Add the old key after the newest in the key file, then run: surehand keys reseal'
    : 'Find out what else writes to the database, and check its disk.'
  return new ToolError(thrown.code, `${subject} cannot be decrypted. ${readCause(thrown)}`, {
    details: { source_code: isLost ? KEY_LOST : 'credential_tampered', credential },
    suggestions: [first, again],
    effect: 'none',
    cause: thrown,
  })
}

// A store wraps the error in its own message and keeps the reason in the cause.
function readCause(thrown: ToolError): string {
  return isToolError(thrown.cause) ? thrown.cause.message : thrown.message
}

/**
 * Marks an error that happened before the request was sent: whatever it says about its effect, the
 * call had none.
 */
export function withoutEffect(thrown: unknown, scrubber: Scrubber): ToolError {
  if (isToolError(thrown) && thrown.effect === 'none') return thrown
  const { code, message, details, suggestions, cause } = scrubber.error(thrown)
  return new ToolError(code, message, {
    ...(details === undefined ? {} : { details }),
    ...(suggestions === undefined ? {} : { suggestions }),
    effect: 'none',
    cause,
  })
}
