import { createHash } from 'node:crypto'
import { ANONYMOUS, type Caller, ToolError } from '@surehand/core'
import { isAdministrator, isNarrowed } from '@surehand/core/internal'
import { newSecret } from '@surehand/identity'
import { calculatePKCECodeChallenge, generateRandomCodeVerifier } from 'oauth4webapi'
import { z } from 'zod'
import { isSafeUrl } from './credential-form.ts'
import {
  type ConsentRecord,
  CredentialRecord,
  grantOf,
  secretsToScrub,
} from './credential-record.ts'
import { type TokensOptions, toTokenClient } from './renew-tokens.ts'
import { secret } from './secret.ts'
import type { AuthorizationState, StateSigner } from './state-signer.ts'
import { requestTokens } from './token-endpoint.ts'
import { toTokenSet } from './token-record.ts'
import { type TokenOwner, writeTokens } from './token-store.ts'
import { clientRejected, consentRequired, credentialNotFound } from './vault-errors.ts'
import { itemKey, requireSecret, type StoredItem } from './vault-items.ts'

/** The page where a person consents, and the `state` that the authorization server sends back. */
export type StartedAuthorization = {
  readonly url: string
  readonly state: string
  readonly expiresAt: number
}

/** The parameters that an authorization server adds to the redirect URI. */
export type AuthorizationResponse = { readonly state: string } & (
  | { readonly code: string }
  | { readonly error: string }
)

export type GrantedConsent = {
  readonly credential: string
  readonly for: 'tenant' | 'principal'
  readonly scopes: readonly string[]
}

const STATE_TTL_MS = 10 * 60_000
const MAX_WRITE_ATTEMPTS = 8

const PendingConsent = z.strictObject({
  kind: z.literal('consent'),
  nonceHash: z.string(),
  redirectUri: z.string(),
  /**
   * Compared at the end: a code that was issued to an earlier client must not be exchanged by the
   * new one.
   */
  grant: z.string(),
  expiresAt: z.number(),
})

export type AuthorizationOptions = TokensOptions & { readonly states: StateSigner }

/** Starts the authorization code flow with PKCE (S256) for one person. */
export async function beginAuthorization(
  options: AuthorizationOptions,
  by: Caller,
  target: { readonly credential: string; readonly redirectUri: string },
): Promise<StartedAuthorization> {
  const { items, clock, states } = options
  const { credential, redirectUri } = target
  if (!isSafeUrl(redirectUri))
    throw new ToolError(
      'TOOL_INVALID_FIELD_VALUE',
      'The redirect URI must use https, or be a loopback address.',
    )
  const { record } = await readConsentCredential(options, by, credential)
  const [nonce, verifier] = [newSecret(), generateRandomCodeVerifier()]
  const expiresAt = clock.now() + STATE_TTL_MS
  // One per person and credential: a new attempt replaces the last, so abandoned ones do not
  // accumulate.
  const key = itemKey.consent(by.tenant, credential, by.principal)
  const expected = await items.versionOf(key)
  const next = {
    record: {
      kind: 'consent',
      nonceHash: digest(nonce),
      redirectUri,
      grant: grantOf(record),
      expiresAt,
    },
    secrets: { verifier: secret(verifier) },
  }
  const written = await items.write({
    ...key,
    next,
    expected,
    principal: by.principal,
    outcome: 'consent_asked',
  })
  if (written === 'stale')
    throw new ToolError(
      'TOOL_ALREADY_RUNNING',
      'Another authorization of this credential started at the same moment. Start again.',
      { effect: 'none' },
    )
  const { tenant, principal } = by
  const state = states.sign({ tenant, principal, credential, nonce, expiresAt })
  const challenge = await calculatePKCECodeChallenge(verifier)
  return { url: buildAuthorizeUrl(record, { redirectUri, state, challenge }), state, expiresAt }
}

/**
 * `by` is the person whose browser came back, taken from their own session. It must be the person
 * who started: otherwise an attacker could lure a victim into consenting with the attacker's state
 * and receive the tokens.
 */
export async function finishAuthorization(
  options: AuthorizationOptions,
  by: Caller,
  response: AuthorizationResponse,
): Promise<GrantedConsent> {
  const { items, clock, remember, states } = options
  const state = states.verify(response.state)
  if (
    state === undefined ||
    state.tenant !== by.tenant ||
    state.principal !== by.principal ||
    state.expiresAt <= clock.now()
  )
    throw stateRejected()
  const { credential } = state
  const stored = await readConsentCredential(options, by, credential)
  const pending = await consumePendingConsent(options, state)
  if (pending.record.grant !== grantOf(stored.record)) throw stateRejected()
  if ('error' in response)
    throw consentRequired(credential, stored.record.for, options.consentLink(by.tenant, credential))
  remember(by.tenant, [secret(response.code), ...Object.values(pending.secrets)])
  const owner: TokenOwner = {
    tenant: by.tenant,
    credential,
    stored,
    principal: stored.record.for === 'tenant' ? undefined : by.principal,
  }
  const requestedAt = clock.now()
  const result = await requestTokens(options, toTokenClient(owner), {
    type: 'authorization_code',
    code: response.code,
    redirectUri: pending.record.redirectUri,
    verifier: requireSecret(pending, 'verifier'),
  })
  if (result.kind === 'rejected') throw clientRejected(credential, result.code)
  const tokens = toTokenSet(result.tokens, grantOf(stored.record), {
    requestedAt,
    before: undefined,
  })
  remember(by.tenant, Object.values(tokens.secrets))
  for (let attempt = 0; attempt < MAX_WRITE_ATTEMPTS; attempt++) {
    const expected = await items.versionOf(
      itemKey.tokens(owner.tenant, credential, owner.principal),
    )
    const change = { ...tokens, outcome: 'consented' } as const
    if (await writeTokens(options, owner, { expected, change }))
      return {
        credential,
        for: stored.record.for,
        scopes: tokens.record.scopes ?? stored.record.scopes,
      }
  }
  throw new ToolError(
    'TOOL_STORAGE_ERROR',
    `The consent for "${credential}" could not be stored. Give it again.`,
    { effect: 'none' },
  )
}

export async function withdrawConsent(
  options: AuthorizationOptions,
  by: Caller,
  credential: string,
): Promise<void> {
  const { record } = await readConsentCredential(options, by, credential)
  const key = itemKey.tokens(
    by.tenant,
    credential,
    record.for === 'tenant' ? undefined : by.principal,
  )
  for (let attempt = 0; attempt < MAX_WRITE_ATTEMPTS; attempt++) {
    const expected = await options.items.versionOf(key)
    if (expected === undefined) return
    const written = await options.items.write({
      ...key,
      next: undefined,
      expected,
      principal: by.principal,
      outcome: 'consent_withdrawn',
    })
    if (written !== 'stale') return
  }
  throw new ToolError(
    'TOOL_STORAGE_ERROR',
    `The consent for "${credential}" could not be withdrawn. Try again.`,
    { effect: 'none' },
  )
}

/**
 * Deletes the pending consent. Of two requests with the same state, the version check lets only one
 * through.
 */
async function consumePendingConsent(
  { items, clock }: AuthorizationOptions,
  { tenant, credential, principal, nonce }: AuthorizationState,
): Promise<StoredItem<z.infer<typeof PendingConsent>>> {
  const key = itemKey.consent(tenant, credential, principal)
  const pending = await items.read(key, PendingConsent)
  if (
    pending === undefined ||
    pending.record.nonceHash !== digest(nonce) ||
    pending.record.expiresAt <= clock.now()
  )
    throw stateRejected()
  const deleted = await items.write({
    ...key,
    next: undefined,
    expected: pending.version,
    principal,
    outcome: 'consent_answered',
  })
  if (deleted === 'stale') throw stateRejected()
  return pending
}

async function readConsentCredential(
  { items, remember }: AuthorizationOptions,
  by: Caller,
  credential: string,
): Promise<StoredItem<ConsentRecord>> {
  if (by.actor === 'ai_agent' || by.principal === ANONYMOUS.principal)
    throw new ToolError(
      'TOOL_INSUFFICIENT_PERMISSIONS',
      'Only a signed-in person can give consent, not an agent.',
    )
  // Consent opens an account to every tool that uses the credential, which no scope covers.
  if (isNarrowed(by))
    throw new ToolError(
      'TOOL_INSUFFICIENT_PERMISSIONS',
      'This sign-in is limited to some capabilities. Sign in without limits to give consent.',
    )
  const stored = await items.read(itemKey.credential(by.tenant, credential), CredentialRecord)
  if (stored === undefined || stored.record.kind !== 'authorizationCode')
    throw credentialNotFound(credential)
  if (stored.record.for === 'tenant' && !isAdministrator(by))
    throw new ToolError(
      'TOOL_ROLE_NOT_AUTHORIZED',
      'Only an administrator can consent to a credential that the whole tenant uses.',
    )
  remember(by.tenant, secretsToScrub(stored))
  return { ...stored, record: stored.record }
}

function buildAuthorizeUrl(
  record: ConsentRecord,
  {
    redirectUri,
    state,
    challenge,
  }: { readonly redirectUri: string; readonly state: string; readonly challenge: string },
): string {
  const url = new URL(record.authorizeUrl)
  const parameters = {
    response_type: 'code',
    client_id: record.clientId,
    redirect_uri: redirectUri,
    ...(record.scopes.length === 0 ? {} : { scope: record.scopes.join(' ') }),
    state,
    code_challenge: challenge,
    code_challenge_method: 'S256',
  }
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
  return url.href
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('base64url')
}

function stateRejected(): ToolError {
  return new ToolError(
    'TOOL_RESOURCE_ACCESS_DENIED',
    'This response belongs to no authorization that you started: it was used already, it expired, or another person started it.',
    {
      details: { source_code: 'consent_state_refused' },
      suggestions: ['Start the authorization again.'],
      effect: 'none',
    },
  )
}
