import { createHash } from 'node:crypto'
import { ANONYMOUS, type Caller, ToolError } from '@surehand/core'
import { newSecret } from '@surehand/identity'
import { z } from 'zod'
import type { AuthorizationState, AuthorizationStates } from './authorization-state.ts'
import { isSafeUrl } from './credential-form.ts'
import { type ConsentRecord, CredentialRecord, grantOf, unspeakable } from './credential-record.ts'
import { clientOf, type TokensOptions } from './renew-tokens.ts'
import { secret } from './secret.ts'
import { askForTokens } from './token-endpoint.ts'
import { tokensFrom } from './token-record.ts'
import { type TokenOwner, writeTokens } from './token-shelf.ts'
import { clientRefused, consentNeeded, noSuchCredential } from './trouble.ts'
import { type Kept, placeOf, secretNamed } from './vault-items.ts'

/** Where a person is sent to agree, and the `state` they come back with. */
export type Begun = { readonly url: string; readonly state: string; readonly expiresAt: number }

/** What an authorization server sends a person back with. */
export type CameBack = { readonly state: string } & (
  | { readonly code: string }
  | { readonly error: string }
)

export type Consented = {
  readonly credential: string
  readonly for: 'tenant' | 'principal'
  readonly scopes: readonly string[]
}

const LIFE_MS = 10 * 60_000
const MOST_TRIES = 8

const Asked = z.strictObject({
  kind: z.literal('consent'),
  nonceHash: z.string(),
  redirectUri: z.string(),
  /** With another client since, the code is for somebody else. */
  grant: z.string(),
  expiresAt: z.number(),
})

export type AuthorizationOptions = TokensOptions & { readonly states: AuthorizationStates }

export async function beginAuthorization(
  options: AuthorizationOptions,
  by: Caller,
  asked: { readonly credential: string; readonly redirectUri: string },
): Promise<Begun> {
  const { items, clock, states } = options
  const { credential, redirectUri } = asked
  if (!isSafeUrl(redirectUri))
    throw new ToolError(
      'TOOL_INVALID_FIELD_VALUE',
      'People come back to an https address, or to this machine.',
    )
  const { record } = await consentRecord(options, by, credential)
  const [nonce, verifier] = [newSecret(), newSecret()]
  const expiresAt = clock.now() + LIFE_MS
  // one a person and credential: a new beginning takes the place of the last, so that they never pile up
  const place = placeOf.consent(by.tenant, credential, by.principal)
  const expected = await items.versionOf(place)
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
    ...place,
    next,
    expected,
    principal: by.principal,
    outcome: 'consent_asked',
  })
  if (written === 'stale')
    throw new ToolError(
      'TOOL_ALREADY_RUNNING',
      'This consent is being asked for by somebody else this moment.',
      { effect: 'none' },
    )
  const state = states.write({
    tenant: by.tenant,
    principal: by.principal,
    credential,
    nonce,
    expiresAt,
  })
  return {
    url: authorizeUrl(record, { redirectUri, state, challenge: digest(verifier) }),
    state,
    expiresAt,
  }
}

/** `by` is who came back, from their own session: a consent somebody was lured into must not end in another's hands. */
export async function finishAuthorization(
  options: AuthorizationOptions,
  by: Caller,
  cameBack: CameBack,
): Promise<Consented> {
  const { items, clock, remember, states } = options
  const state = states.read(cameBack.state)
  if (
    state === undefined ||
    state.tenant !== by.tenant ||
    state.principal !== by.principal ||
    state.expiresAt <= clock.now()
  )
    throw notAsked()
  const { credential } = state
  const kept = await consentRecord(options, by, credential)
  const asked = await takeAsked(options, state)
  if (asked.record.grant !== grantOf(kept.record)) throw notAsked()
  if ('error' in cameBack)
    throw consentNeeded(credential, kept.record.for, options.consentLink(by.tenant, credential))
  remember(by.tenant, [secret(cameBack.code), ...Object.values(asked.secrets)])
  const owner: TokenOwner = {
    tenant: by.tenant,
    credential,
    kept,
    principal: kept.record.for === 'tenant' ? undefined : by.principal,
  }
  const askedAt = clock.now()
  const answer = await askForTokens(options, clientOf(owner), {
    grant_type: 'authorization_code',
    code: cameBack.code,
    redirect_uri: asked.record.redirectUri,
    code_verifier: secretNamed(asked, 'verifier').reveal(),
  })
  if (answer.kind === 'refused') throw clientRefused(credential, answer.code)
  const made = tokensFrom(answer.granted, grantOf(kept.record), { askedAt, before: undefined })
  remember(by.tenant, Object.values(made.secrets))
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const expected = await items.versionOf(
      placeOf.tokens(owner.tenant, credential, owner.principal),
    )
    if (await writeTokens(options, owner, { expected, change: { ...made, outcome: 'consented' } }))
      return { credential, for: kept.record.for, scopes: made.record.scopes ?? kept.record.scopes }
  }
  throw new ToolError(
    'TOOL_STORAGE_ERROR',
    `The consent to "${credential}" could not be kept: give it again.`,
    { effect: 'none' },
  )
}

export async function withdrawConsent(
  options: AuthorizationOptions,
  by: Caller,
  credential: string,
): Promise<void> {
  const { record } = await consentRecord(options, by, credential)
  const place = placeOf.tokens(
    by.tenant,
    credential,
    record.for === 'tenant' ? undefined : by.principal,
  )
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const expected = await options.items.versionOf(place)
    if (expected === undefined) return
    const written = await options.items.write({
      ...place,
      next: undefined,
      expected,
      principal: by.principal,
      outcome: 'consent_withdrawn',
    })
    if (written !== 'stale') return
  }
  throw new ToolError(
    'TOOL_STORAGE_ERROR',
    `The consent to "${credential}" could not be withdrawn: try again.`,
    { effect: 'none' },
  )
}

/** Used by being taken away: of two who come with one state the version lets one through. */
async function takeAsked(
  { items, clock }: AuthorizationOptions,
  { tenant, credential, principal, nonce }: AuthorizationState,
): Promise<Kept<z.infer<typeof Asked>>> {
  const place = placeOf.consent(tenant, credential, principal)
  const asked = await items.read(place, Asked)
  if (
    asked === undefined ||
    asked.record.nonceHash !== digest(nonce) ||
    asked.record.expiresAt <= clock.now()
  )
    throw notAsked()
  const taken = await items.write({
    ...place,
    next: undefined,
    expected: asked.version,
    principal,
    outcome: 'consent_answered',
  })
  if (taken === 'stale') throw notAsked()
  return asked
}

async function consentRecord(
  { items, remember }: AuthorizationOptions,
  by: Caller,
  credential: string,
): Promise<Kept<ConsentRecord>> {
  if (by.actor === 'ai_agent' || by.principal === ANONYMOUS)
    throw new ToolError(
      'TOOL_INSUFFICIENT_PERMISSIONS',
      'Consent is given by people, not by agents.',
    )
  const kept = await items.read(placeOf.credential(by.tenant, credential), CredentialRecord)
  if (kept === undefined || kept.record.kind !== 'authorizationCode')
    throw noSuchCredential(credential)
  if (kept.record.for === 'tenant' && !by.roles.includes('admin'))
    throw new ToolError(
      'TOOL_ROLE_NOT_AUTHORIZED',
      'What the whole house uses is agreed to by its administrators.',
    )
  remember(by.tenant, unspeakable(kept))
  return { ...kept, record: kept.record }
}

function authorizeUrl(
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

function notAsked(): ToolError {
  return new ToolError(
    'TOOL_RESOURCE_ACCESS_DENIED',
    'This answer fits no consent that you were asked for: it was used, it is too late, or it is not yours.',
    {
      details: { source_code: 'consent_state_refused' },
      suggestions: ['Begin again.'],
      effect: 'none',
    },
  )
}
