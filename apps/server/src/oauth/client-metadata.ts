import { z } from 'zod'

/** What is kept of a client's own description. Every client is public and proves itself by PKCE. */
export type ClientMetadata = {
  readonly client_name?: string
  readonly redirect_uris: readonly string[]
  readonly application_type: 'native'
  readonly grant_types: readonly string[]
  readonly response_types: readonly string[]
  readonly token_endpoint_auth_method: 'none'
}

export type MetadataProblem = {
  readonly error: 'invalid_client_metadata' | 'invalid_redirect_uri'
  readonly error_description: string
}

const Description = z.object({
  client_name: z.string().max(200).optional(),
  redirect_uris: z.array(z.string().max(500)).min(1).max(10),
  grant_types: z.array(z.string().max(100)).max(10).optional(),
  response_types: z.array(z.string().max(100)).max(10).optional(),
})

/**
 * Reads the description that a client registers or publishes. Other fields are dropped: a logo or a
 * link on the consent page would be a claim that nobody has checked, and shared secrets of clients
 * that register themselves prove nothing.
 */
export function readClientMetadata(
  given: unknown,
): { readonly metadata: ClientMetadata } | { readonly problem: MetadataProblem } {
  const parsed = Description.safeParse(given)
  if (!parsed.success) {
    const { path, message } = parsed.error.issues[0] ?? { path: [], message: 'cannot be read' }
    return refuse('invalid_client_metadata', `${path.join('.') || 'The description'}: ${message}.`)
  }
  const { client_name, redirect_uris, grant_types, response_types } = parsed.data
  if (grant_types?.includes('authorization_code') === false)
    return refuse('invalid_client_metadata', 'grant_types must include authorization_code.')
  if (response_types?.includes('code') === false)
    return refuse('invalid_client_metadata', 'response_types must include code.')
  const wrong = redirect_uris.find((uri) => !isSafeRedirect(uri))
  if (wrong !== undefined)
    return refuse(
      'invalid_redirect_uri',
      'A redirect URI must use https, http on a loopback address, or a scheme of the program itself, without user name, fragment or wildcard.',
    )
  return {
    metadata: {
      ...(client_name === undefined ? {} : { client_name }),
      redirect_uris: [...new Set(redirect_uris)],
      // The rules for native programs fit all: https anywhere, http on loopback with any port.
      application_type: 'native',
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    },
  }
}

function refuse(
  error: MetadataProblem['error'],
  error_description: string,
): { readonly problem: MetadataProblem } {
  return { problem: { error, error_description } }
}

const LOOPBACK = /^(?:localhost|127\.0\.0\.1|\[::1\])$/
// Schemes that browsers run, show or send themselves, instead of handing them to a program.
const OF_BROWSERS =
  /^(?:javascript|data|vbscript|blob|file|filesystem|about|view-source|ws|wss|ftp|mailto|tel|sms|intent|chrome|resource):$/

function isSafeRedirect(uri: string): boolean {
  const url = URL.parse(uri)
  // Browsers drop tabs and line ends, and read a backslash as a slash: such a text is two addresses.
  if (url === null || !/^[\x21-\x7e]+$/.test(uri) || /[\\#*]/.test(uri)) return false
  if (url.username !== '' || url.password !== '') return false
  if (url.protocol === 'https:') return url.hostname !== '' && !LOOPBACK.test(url.hostname)
  if (url.protocol === 'http:') return LOOPBACK.test(url.hostname)
  return !OF_BROWSERS.test(url.protocol)
}
