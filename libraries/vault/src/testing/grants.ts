import { createHash } from 'node:crypto'
import type { Clock } from '@surehand/core/ports'
import type { EmulatorReply, EmulatorRequest } from '@surehand/testing'

export type Client = {
  readonly id: string
  readonly secret?: string
  readonly auth: 'basic' | 'post' | 'none'
}

export type GrantsOptions = {
  readonly clients: readonly Client[]
  readonly clock: Clock
  readonly expiresInSeconds?: number
  /**
   * `rotating`: every refresh token works once, and using one twice revokes every token of the same
   * consent.
   */
  readonly rotation?: 'rotating' | 'lasting'
  /** `echoing`: errors repeat everything that was sent, as some servers do. */
  readonly errorStyle?: 'plain' | 'echoing'
}

type Code = {
  readonly client: string
  readonly redirectUri: string
  readonly challenge: string
  readonly scope: string
}
type Refresh = {
  readonly family: string
  readonly client: string
  readonly scope: string
  isSpent: boolean
}

/** The codes and tokens that an authorization server has issued. */
export type Grants = Required<GrantsOptions> & {
  readonly codes: Map<string, Code>
  readonly refreshes: Map<string, Refresh>
  /** Access tokens with their expiry. */
  readonly accesses: Map<string, number>
  readonly newToken: (kind: string) => string
}

export function openGrants(options: GrantsOptions): Grants {
  let count = 0
  const newToken = (kind: string) =>
    `${kind}-${++count}-${createHash('sha256').update(`${kind}${count}`).digest('hex').slice(0, 24)}`
  const issued = { codes: new Map(), refreshes: new Map(), accesses: new Map(), newToken }
  return {
    expiresInSeconds: 3_600,
    rotation: 'rotating',
    errorStyle: 'plain',
    ...options,
    ...issued,
  }
}

/** The authorization endpoint, with a person who always agrees. */
export function authorize(
  { clients, codes, newToken }: Grants,
  query: URLSearchParams,
): EmulatorReply {
  const [client = '', redirectUri = '', challenge = ''] = [
    'client_id',
    'redirect_uri',
    'code_challenge',
  ].map((name) => query.get(name) ?? '')
  const isValid =
    clients.some(({ id }) => id === client) &&
    query.get('response_type') === 'code' &&
    query.get('code_challenge_method') === 'S256'
  if (!isValid || redirectUri === '' || challenge === '')
    return { status: 400, body: { error: 'invalid_request' } }
  const code = newToken('code')
  codes.set(code, { client, redirectUri, challenge, scope: query.get('scope') ?? '' })
  const back = new URL(redirectUri)
  back.searchParams.set('code', code)
  back.searchParams.set('state', query.get('state') ?? '')
  return { status: 302, headers: { location: back.href } }
}

/** The token endpoint. */
export function issueTokens(grants: Grants, request: EmulatorRequest): EmulatorReply {
  const form = new URLSearchParams(request.body)
  const client = clientOf(grants, request, form)
  if (client === undefined) return rejectRequest(grants, request, 'invalid_client')
  const issued = grantFor(grants, form, client)
  return typeof issued === 'string' ? rejectRequest(grants, request, issued) : issued
}

function grantFor(grants: Grants, form: URLSearchParams, client: Client): EmulatorReply | string {
  switch (form.get('grant_type')) {
    case 'client_credentials':
      return client.secret === undefined
        ? 'unauthorized_client'
        : grant(grants, form.get('scope') ?? '')
    case 'authorization_code':
      return exchange(grants, form, client)
    case 'refresh_token':
      return renew(grants, form, client)
    default:
      return 'unsupported_grant_type'
  }
}

function exchange(grants: Grants, form: URLSearchParams, client: Client): EmulatorReply | string {
  const text = form.get('code') ?? ''
  const code = grants.codes.get(text)
  grants.codes.delete(text)
  const challenge = createHash('sha256')
    .update(form.get('code_verifier') ?? '')
    .digest('base64url')
  const isValid =
    code?.client === client.id &&
    code.redirectUri === form.get('redirect_uri') &&
    code.challenge === challenge
  return isValid ? grant(grants, code.scope, { family: text, client: client.id }) : 'invalid_grant'
}

function renew(grants: Grants, form: URLSearchParams, client: Client): EmulatorReply | string {
  const known = grants.refreshes.get(form.get('refresh_token') ?? '')
  if (known === undefined || known.client !== client.id) return 'invalid_grant'
  if (known.isSpent) {
    for (const [other, { family }] of grants.refreshes)
      if (family === known.family) grants.refreshes.delete(other)
    return 'invalid_grant'
  }
  if (grants.rotation === 'lasting') return grant(grants, known.scope)
  known.isSpent = true
  return grant(grants, known.scope, known)
}

function grant(
  grants: Grants,
  scope: string,
  origin?: Pick<Refresh, 'family' | 'client'>,
): EmulatorReply {
  const { clock, expiresInSeconds, accesses, refreshes, newToken } = grants
  const access = newToken('access')
  accesses.set(access, clock.now() + expiresInSeconds * 1_000)
  const body = { access_token: access, token_type: 'Bearer', expires_in: expiresInSeconds, scope }
  if (origin === undefined) return { body, effect: { access } }
  const refresh = newToken('refresh')
  refreshes.set(refresh, { family: origin.family, client: origin.client, scope, isSpent: false })
  return { body: { ...body, refresh_token: refresh }, effect: { access, refresh } }
}

function clientOf(
  { clients }: Grants,
  request: EmulatorRequest,
  form: URLSearchParams,
): Client | undefined {
  const [, pair] = /^Basic (.+)$/.exec(request.headers.authorization ?? '') ?? []
  const [id = '', secret = ''] = (pair === undefined ? '' : Buffer.from(pair, 'base64').toString())
    .split(':')
    .map(decodeForm)
  return clients.find((client) => {
    if (client.auth === 'basic') return client.id === id && client.secret === secret
    if (form.get('client_id') !== client.id || pair !== undefined) return false
    return client.auth === 'none'
      ? !form.has('client_secret')
      : form.get('client_secret') === client.secret
  })
}

function rejectRequest(
  { errorStyle }: Grants,
  { headers, body }: EmulatorRequest,
  error: string,
): EmulatorReply {
  const echo = JSON.stringify({
    headers,
    body,
    form: Object.fromEntries(new URLSearchParams(body)),
  })
  return {
    status: error === 'invalid_client' ? 401 : 400,
    body: { error, error_description: errorStyle === 'echoing' ? echo : 'No.' },
  }
}

function decodeForm(text: string): string {
  return decodeURIComponent(text.replaceAll('+', ' '))
}
