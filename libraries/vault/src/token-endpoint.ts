import { isToolError, ToolError } from '@surehand/core'
import { fromNetworkFailure } from '@surehand/core/host'
import type { Clock } from '@surehand/core/ports'
import * as oauth from 'oauth4webapi'
import { z } from 'zod'
import { hideContents } from './hide-contents.ts'
import type { Scrubber } from './scrubber.ts'
import type { Secret } from './secret.ts'

/**
 * A request to a token endpoint. It carries secrets, so it is sent through egress and follows no
 * redirect.
 */
export type VaultRequest = {
  readonly tenant: string
  readonly method: 'POST'
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly credentialHeaders: readonly string[]
  readonly body: string
  readonly maxBytes: number
  readonly redirect: 'stop'
  readonly signal: AbortSignal
}

export type VaultHttp = (
  request: VaultRequest,
) => Promise<{ readonly status: number; readonly body: string }>

/** The OAuth client that requests tokens, and the endpoint it requests them from. */
export type TokenClient = {
  readonly tenant: string
  readonly credential: string
  readonly tokenUrl: string
  readonly clientId: string
  readonly clientSecret: Secret | undefined
  readonly auth: 'basic' | 'post' | 'none'
}

/** What the client presents in exchange for tokens. */
export type TokenGrant =
  | {
      readonly type: 'authorization_code'
      readonly code: string
      readonly redirectUri: string
      readonly verifier: Secret
    }
  | { readonly type: 'refresh_token'; readonly refreshToken: Secret }
  | {
      readonly type: 'client_credentials'
      readonly parameters: Readonly<Record<string, string>>
    }

export type IssuedTokens = {
  readonly access: string
  readonly refresh: string | undefined
  readonly expiresInMs: number | undefined
  readonly scopes: readonly string[] | undefined
}

export type TokenResult =
  | { readonly kind: 'issued'; readonly tokens: IssuedTokens }
  /**
   * An error code of RFC 6749. Nothing else of the response is kept: a server may repeat the
   * secrets that it was sent.
   */
  | { readonly kind: 'rejected'; readonly code: string }

export type TokenEndpoint = {
  readonly http: VaultHttp
  readonly clock: Clock
  /** Removes the tenant's secrets that this process has decrypted. */
  readonly scrubberOf: (tenant: string) => Scrubber
}

const TOKEN_TIMEOUT_MS = 15_000
const MAX_BYTES = 256 * 1024

const ERROR_CODES = new Set([
  'invalid_request',
  'invalid_client',
  'invalid_grant',
  'unauthorized_client',
  'unsupported_grant_type',
  'invalid_scope',
  'invalid_target',
  'access_denied',
])
// GitHub has its own error codes for an expired code, an expired refresh token and an unknown
// client.
const GITHUB_CODES: Readonly<Record<string, string>> = {
  bad_verification_code: 'invalid_grant',
  bad_refresh_token: 'invalid_grant',
  incorrect_client_credentials: 'invalid_client',
}

const JsonObject = z.record(z.string(), z.unknown())
const TOKEN = /^[\x21-\x7e]{1,16384}$/

/**
 * Requests tokens. Whatever goes wrong, the call itself has not been sent: every error has the
 * effect `none`.
 */
export async function requestTokens(
  { http, clock, scrubberOf }: TokenEndpoint,
  client: TokenClient,
  grant: TokenGrant,
): Promise<TokenResult> {
  const abort = new AbortController()
  const late = Promise.withResolvers<never>()
  const cancel = clock.after(TOKEN_TIMEOUT_MS, () => {
    abort.abort()
    late.reject(endpointError(client, 'TOOL_EXECUTION_TIMEOUT', 'did not answer in time'))
  })
  try {
    // Raced, because the HTTP function that was handed in may ignore the signal.
    return await Promise.race([
      sendGrant(client, grant, fetchThroughVault(http, client, abort.signal)),
      late.promise,
    ])
  } catch (thrown) {
    throw toEndpointError(client, thrown, scrubberOf(client.tenant))
  } finally {
    cancel()
  }
}

async function sendGrant(
  client: TokenClient,
  grant: TokenGrant,
  fetch: NonNullable<oauth.TokenEndpointRequestOptions[typeof oauth.customFetch]>,
): Promise<TokenResult> {
  const server = {
    issuer: new URL(client.tokenUrl).origin,
    token_endpoint: client.tokenUrl,
  }
  const registration = { client_id: client.clientId }
  // A credential accepts plain HTTP for loopback addresses only (`isSafeUrl`), so the library need
  // not check again.
  const options = { [oauth.customFetch]: fetch, [oauth.allowInsecureRequests]: true }
  const response = await send()
  try {
    return readTokens(
      client,
      await oauth.processRefreshTokenResponse(server, registration, response),
    )
  } catch (thrown) {
    if (thrown instanceof oauth.ResponseBodyError)
      return { kind: 'rejected', code: toErrorCode(thrown.error) }
    if (isToolError(thrown)) throw thrown
    // The library's error holds the whole response, tokens included, so it must not become the
    // cause.
    throw unreadable(client, response.status)
  }

  async function send(): Promise<Response> {
    const authenticate = authenticateClient(client)
    switch (grant.type) {
      case 'authorization_code': {
        // The state was checked by its signature before: here the library only marks the parameters
        // as checked.
        const callback = oauth.validateAuthResponse(
          server,
          registration,
          new URLSearchParams({ code: grant.code }),
          oauth.skipStateCheck,
        )
        return oauth.authorizationCodeGrantRequest(
          server,
          registration,
          authenticate,
          callback,
          grant.redirectUri,
          grant.verifier.reveal(),
          options,
        )
      }
      case 'refresh_token':
        return oauth.refreshTokenGrantRequest(
          server,
          registration,
          authenticate,
          grant.refreshToken.reveal(),
          options,
        )
      case 'client_credentials':
        return oauth.clientCredentialsGrantRequest(
          server,
          registration,
          authenticate,
          grant.parameters,
          options,
        )
    }
  }
}

function authenticateClient({ auth, clientId, clientSecret }: TokenClient): oauth.ClientAuth {
  if (clientSecret === undefined || auth === 'none') return oauth.None()
  if (auth === 'post') return oauth.ClientSecretPost(clientSecret.reveal())
  // RFC 6749 §2.3.1 form-encodes both halves. The library's own function also encodes "-", "." and
  // "_", which servers that compare the bytes undecoded do not accept.
  const pair = Buffer.from(`${formEncode(clientId)}:${formEncode(clientSecret.reveal())}`)
  return (_server, _client, _body, headers) =>
    headers.set('authorization', `Basic ${pair.toString('base64')}`)
}

function formEncode(text: string): string {
  return new URLSearchParams({ '': text }).toString().slice(1)
}

/**
 * The `fetch` of the OAuth library: sends through egress and gives back what RFC 6749 would have
 * the server answer.
 */
function fetchThroughVault(http: VaultHttp, client: TokenClient, signal: AbortSignal) {
  return async (
    url: string,
    { headers, body }: { headers: Record<string, string>; body: URLSearchParams },
  ): Promise<Response> => {
    const { 'user-agent': _, ...sent } = headers
    const request: VaultRequest = {
      tenant: client.tenant,
      method: 'POST',
      url,
      headers: sent,
      credentialHeaders: ['authorization'],
      body: body.toString(),
      maxBytes: MAX_BYTES,
      redirect: 'stop',
      signal,
    }
    const answer = await http(hideContents(request, '[request for tokens]'))
    checkStatus(client, answer.status)
    return toStandardResponse(client, answer.status, tryToParseJson(answer.body))
  }
}

function checkStatus(client: TokenClient, status: number): void {
  if (status === 429)
    throw endpointError(client, 'TOOL_RATE_LIMIT_EXCEEDED', 'receives too many requests (429)')
  if (status >= 500)
    throw endpointError(client, 'TOOL_EXTERNAL_SERVICE_ERROR', `answered with an error (${status})`)
  if (status >= 300 && status < 400)
    throw endpointError(
      client,
      'TOOL_CONFIGURATION_ERROR',
      'redirects elsewhere, and the client secret is not sent there',
    )
}

/**
 * Servers deviate from RFC 6749 in known ways; without this the library would refuse their
 * responses.
 */
function toStandardResponse(client: TokenClient, status: number, body: unknown): Response {
  const { data: json } = JsonObject.safeParse(body)
  if (json === undefined) throw unreadable(client, status)
  // GitHub answers 200 with an error in the body.
  if (typeof json.error === 'string') return Response.json({ error: json.error }, { status: 400 })
  if (status >= 300) throw unreadable(client, status)
  const { access_token, token_type = 'bearer', expires_in, refresh_token, scope } = json
  // An `id_token` is left out: the vault does not sign people in, and cannot check one without the
  // server's keys.
  return Response.json({
    access_token,
    token_type,
    expires_in: expires_in ?? undefined,
    refresh_token: refresh_token ?? undefined,
    scope: scope ?? undefined,
  })
}

function readTokens(client: TokenClient, response: oauth.TokenEndpointResponse): TokenResult {
  const { access_token: access, refresh_token: refresh, expires_in, scope, token_type } = response
  const isUsable =
    token_type === 'bearer' && TOKEN.test(access) && (refresh === undefined || TOKEN.test(refresh))
  if (!isUsable) throw unreadable(client, 200)
  return {
    kind: 'issued',
    tokens: {
      access,
      refresh,
      expiresInMs: expires_in === undefined ? undefined : expires_in * 1_000,
      // GitHub separates scopes with commas.
      scopes: scope?.split(/[ ,]+/).filter((name) => name !== ''),
    },
  }
}

function toErrorCode(error: string): string {
  const code = Object.hasOwn(GITHUB_CODES, error) ? (GITHUB_CODES[error] ?? '') : error
  return ERROR_CODES.has(code) ? code : 'unrecognized error code'
}

function tryToParseJson(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}

// A network error may quote the request, so it does not become the cause. What egress says about
// the host is shown.
function toEndpointError(client: TokenClient, thrown: unknown, scrubber: Scrubber): ToolError {
  if (!isToolError(thrown))
    return endpointError(
      client,
      'TOOL_NETWORK_ERROR',
      `could not be reached${networkCodeOf(thrown)}`,
    )
  if (thrown.details?.token_endpoint !== undefined) return thrown
  const { message, suggestions = [] } = scrubber.error(thrown)
  const { details } = endpointError(client, thrown.code, '')
  return new ToolError(
    thrown.code,
    `Nothing was sent: the token endpoint of "${client.credential}" could not be reached. ${message}`,
    {
      ...(details === undefined ? {} : { details }),
      ...(suggestions.length === 0 ? {} : { suggestions }),
      effect: 'none',
    },
  )
}

function networkCodeOf(thrown: unknown): string {
  const [, code] =
    /\(([A-Z][A-Z0-9_]{1,40})\)\.$/.exec(fromNetworkFailure(thrown, '').message) ?? []
  return code === undefined ? '' : ` (${code})`
}

function unreadable(client: TokenClient, status: number): ToolError {
  return endpointError(
    client,
    'TOOL_EXTERNAL_SERVICE_ERROR',
    `gave a response that does not contain a usable token (${status})`,
  )
}

function endpointError(
  { credential, tokenUrl }: TokenClient,
  code: ToolError['code'],
  what: string,
): ToolError {
  const { host } = new URL(tokenUrl)
  return new ToolError(
    code,
    `Nothing was sent: the token endpoint of "${credential}" at ${host} ${what}.`,
    { details: { credential, token_endpoint: host }, effect: 'none' },
  )
}
