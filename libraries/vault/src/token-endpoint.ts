import { isToolError, ToolError } from '@surehand/core'
import { fromNetworkFailure } from '@surehand/core/host'
import type { Clock } from '@surehand/core/ports'
import { z } from 'zod'
import { concealed } from './concealed.ts'
import type { Scrubber } from './scrubber.ts'
import type { Secret } from './secret.ts'

/** A request to a token endpoint. It carries secrets: it is sent through egress, and follows no redirect. */
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

/** Who asks for tokens, and where. */
export type TokenClient = {
  readonly tenant: string
  readonly credential: string
  readonly tokenUrl: string
  readonly clientId: string
  readonly clientSecret: Secret | undefined
  readonly auth: 'basic' | 'post' | 'none'
}

export type Granted = {
  readonly access: string
  readonly refresh: string | undefined
  readonly expiresInMs: number | undefined
  readonly scopes: readonly string[] | undefined
}

export type TokenAnswer =
  | { readonly kind: 'granted'; readonly granted: Granted }
  /** In the words of RFC 6749; nothing else of the answer is told, since it may repeat what was sent. */
  | { readonly kind: 'refused'; readonly code: string }

/** Longer than this nobody waits for a token. */
export const TOKEN_TIMEOUT_MS = 15_000
const MAX_BYTES = 256 * 1024

const REFUSALS = new Set([
  'invalid_request',
  'invalid_client',
  'invalid_grant',
  'unauthorized_client',
  'unsupported_grant_type',
  'invalid_scope',
  'invalid_target',
  'access_denied',
])
// GitHub's words for a code or a refresh token that is no good
const SYNONYMS: Readonly<Record<string, string>> = {
  bad_verification_code: 'invalid_grant',
  bad_refresh_token: 'invalid_grant',
  incorrect_client_credentials: 'invalid_client',
}

const Token = z.string().regex(/^[\x21-\x7e]{1,16384}$/)
const GrantedForm = z.object({
  access_token: Token,
  token_type: z
    .string()
    .regex(/^bearer$/i)
    .exactOptional(),
  // some send it as a text
  expires_in: z
    .union([
      z.number(),
      z
        .string()
        .regex(/^\d{1,12}$/)
        .transform(Number),
    ])
    .nullish(),
  refresh_token: Token.nullish(),
  scope: z.string().nullish(),
})

export type TokenEndpoint = {
  readonly http: VaultHttp
  readonly clock: Clock
  /** Of the secrets of a house that were opened here. */
  readonly scrubberOf: (tenant: string) => Scrubber
}

/** Asks for tokens. Whatever goes wrong, nothing of the call itself was sent: its effect is none. */
export async function askForTokens(
  { http, clock, scrubberOf }: TokenEndpoint,
  client: TokenClient,
  parameters: Readonly<Record<string, string>>,
): Promise<TokenAnswer> {
  const abort = new AbortController()
  const late = Promise.withResolvers<never>()
  const cancel = clock.after(TOKEN_TIMEOUT_MS, () => {
    abort.abort()
    late.reject(trouble(client, 'TOOL_EXECUTION_TIMEOUT', 'did not answer in time'))
  })
  try {
    // raced: who is handed in may not listen to the signal
    const { status, body } = await Promise.race([
      http(requestOf(client, parameters, abort.signal)),
      late.promise,
    ])
    return readAnswer(client, status, body)
  } catch (thrown) {
    throw unreached(client, thrown, scrubberOf(client.tenant))
  } finally {
    cancel()
  }
}

function requestOf(
  client: TokenClient,
  parameters: Readonly<Record<string, string>>,
  signal: AbortSignal,
): VaultRequest {
  const { tenant, tokenUrl, clientId, clientSecret, auth } = client
  const own: Record<string, string> = auth === 'basic' ? {} : { client_id: clientId }
  if (auth === 'post' && clientSecret !== undefined) own.client_secret = clientSecret.reveal()
  const headers: Record<string, string> = {
    accept: 'application/json',
    'content-type': 'application/x-www-form-urlencoded',
  }
  if (auth === 'basic' && clientSecret !== undefined)
    headers.authorization = `Basic ${clientPair(clientId, clientSecret)}`
  const body = new URLSearchParams({ ...parameters, ...own }).toString()
  const request: VaultRequest = {
    tenant,
    method: 'POST',
    url: tokenUrl,
    headers,
    credentialHeaders: ['authorization'],
    body,
    maxBytes: MAX_BYTES,
    redirect: 'stop',
    signal,
  }
  return concealed(request, '[request for tokens]')
}

/** RFC 6749 §2.3.1: both halves are encoded before they are joined. */
export function clientPair(clientId: string, clientSecret: Secret): string {
  return Buffer.from(`${formEncoded(clientId)}:${formEncoded(clientSecret.reveal())}`).toString(
    'base64',
  )
}

function formEncoded(text: string): string {
  return new URLSearchParams({ '': text }).toString().slice(1)
}

function readAnswer(client: TokenClient, status: number, body: string): TokenAnswer {
  if (status === 429) throw trouble(client, 'TOOL_RATE_LIMIT_EXCEEDED', 'is asked too often')
  if (status >= 500)
    throw trouble(client, 'TOOL_EXTERNAL_SERVICE_ERROR', `is in trouble (${status})`)
  if (status >= 300 && status < 400)
    throw trouble(
      client,
      'TOOL_CONFIGURATION_ERROR',
      'sends us elsewhere, where its secrets do not go',
    )
  const json = asJson(body)
  const refusal = refusalIn(json)
  if (refusal !== undefined) return { kind: 'refused', code: refusal }
  const parsed = status < 300 ? GrantedForm.safeParse(json) : undefined
  if (!parsed?.success)
    throw trouble(
      client,
      'TOOL_EXTERNAL_SERVICE_ERROR',
      `gave no answer that can be read as a token (${status})`,
    )
  const { access_token, refresh_token, expires_in, scope } = parsed.data
  const granted: Granted = {
    access: access_token,
    refresh: refresh_token ?? undefined,
    expiresInMs: typeof expires_in === 'number' ? expires_in * 1_000 : undefined,
    // GitHub writes commas
    scopes:
      scope === null || scope === undefined
        ? undefined
        : scope.split(/[ ,]+/).filter((name) => name !== ''),
  }
  return { kind: 'granted', granted }
}

function refusalIn(json: unknown): string | undefined {
  if (
    typeof json !== 'object' ||
    json === null ||
    !('error' in json) ||
    typeof json.error !== 'string'
  )
    return undefined
  const code = Object.hasOwn(SYNONYMS, json.error) ? (SYNONYMS[json.error] ?? '') : json.error
  return REFUSALS.has(code) ? code : 'a reason of its own'
}

function asJson(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}

// what went wrong outside may quote the request, so it is no cause; what egress says of a host is for people to read
function unreached(client: TokenClient, thrown: unknown, scrubber: Scrubber): ToolError {
  if (!isToolError(thrown))
    return trouble(client, 'TOOL_NETWORK_ERROR', `could not be reached${codeOf(thrown)}`)
  if (thrown.details?.token_endpoint !== undefined) return thrown
  const { message, suggestions = [] } = scrubber.error(thrown)
  const { details } = trouble(client, thrown.code, '')
  const said = `Nothing was sent: the token endpoint of "${client.credential}" could not be asked. ${message}`
  return new ToolError(thrown.code, said, {
    ...(details === undefined ? {} : { details }),
    ...(suggestions.length === 0 ? {} : { suggestions }),
    effect: 'none',
  })
}

function codeOf(thrown: unknown): string {
  const [, code] =
    /\(([A-Z][A-Z0-9_]{1,40})\)\.$/.exec(fromNetworkFailure(thrown, '').message) ?? []
  return code === undefined ? '' : ` (${code})`
}

function trouble(
  { credential, tokenUrl }: TokenClient,
  code: ToolError['code'],
  what: string,
): ToolError {
  const { host } = new URL(tokenUrl)
  return new ToolError(
    code,
    `Nothing was sent: the token endpoint of "${credential}" at ${host} ${what}.`,
    {
      details: { credential, token_endpoint: host },
      effect: 'none',
    },
  )
}
