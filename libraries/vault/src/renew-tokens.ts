import { ToolError } from '@surehand/core'
import { type Entropy, sleep } from '@surehand/core/ports'
import { grantOf } from './credential-record.ts'
import type { Secret } from './secret.ts'
import {
  requestTokens,
  type TokenClient,
  type TokenEndpoint,
  type TokenGrant,
} from './token-endpoint.ts'
import {
  isFresh,
  type StoredTokens,
  type TokenRecord,
  type TokenSet,
  toTokenSet,
} from './token-record.ts'
import {
  areGrantedFor,
  readTokens,
  releaseLease,
  type TokenOwner,
  type TokenStore,
  writeTokens,
} from './token-store.ts'
import { clientRejected, consentRequired } from './vault-errors.ts'

export type TokensOptions = TokenStore &
  TokenEndpoint & {
    readonly entropy: Entropy
    readonly consentLink: (tenant: string, credential: string) => string | undefined
  }

// Twice the timeout of a token endpoint: the rest allows for clocks of two nodes that differ.
const LEASE_MS = 30_000
const POLL_INTERVAL_MS = 50
const MAX_WAIT_MS = 45_000

/**
 * Renews the tokens under a lease in the store. While another node holds the lease, waits for the
 * tokens that it stores.
 */
export async function renewTokens(options: TokensOptions, owner: TokenOwner): Promise<TokenSet> {
  const { clock, entropy } = options
  const startedAt = clock.ticks()
  while (clock.ticks() - startedAt < MAX_WAIT_MS) {
    const before = await readTokens(options, owner)
    if (areGrantedFor(owner, before) && isFresh(before, clock.now())) return before
    if (!canRenew(owner, before)) throw consentRequiredFor(options, owner)
    const isLeased = before?.record.lease !== undefined && before.record.lease.until > clock.now()
    const lease = { id: entropy.newId('lease', clock.now()), until: clock.now() + LEASE_MS }
    const change = { ...withLease(owner, before, lease), outcome: 'renewing' } as const
    if (!isLeased && (await writeTokens(options, owner, { expected: before?.version, change })))
      return renewWithLease(options, owner, { lease: lease.id, before })
    await sleep(clock, POLL_INTERVAL_MS)
  }
  throw new ToolError(
    'TOOL_RESOURCE_UNAVAILABLE',
    `Nothing was sent: another process has been renewing the tokens of "${owner.credential}" for ${MAX_WAIT_MS / 1_000} s. Try again later.`,
    { effect: 'none' },
  )
}

export function canRenew(owner: TokenOwner, tokens: StoredTokens | undefined): boolean {
  if (owner.stored.record.kind === 'clientCredentials') return true
  return (
    areGrantedFor(owner, tokens) &&
    tokens.record.state === 'held' &&
    tokens.secrets.refresh !== undefined
  )
}

export function consentRequiredFor(
  { consentLink }: TokensOptions,
  { tenant, credential, principal }: TokenOwner,
): ToolError {
  return consentRequired(
    credential,
    principal === undefined ? 'tenant' : 'principal',
    consentLink(tenant, credential),
  )
}

export function toTokenClient({
  tenant,
  credential,
  stored: { record, secrets },
}: TokenOwner): TokenClient {
  const { tokenUrl, clientId, auth } = record
  return { tenant, credential, tokenUrl, clientId, auth, clientSecret: secrets.clientSecret }
}

type HeldLease = { readonly lease: string; readonly before: StoredTokens | undefined }

async function renewWithLease(
  options: TokensOptions,
  owner: TokenOwner,
  { lease, before }: HeldLease,
): Promise<TokenSet> {
  const used = before?.secrets.refresh
  const requestedAt = options.clock.now()
  const result = await requestTokens(options, toTokenClient(owner), grantFor(owner, used)).catch(
    async (thrown: unknown) => {
      // If the release fails too, the lease expires by itself, and the error of the request is the
      // one to report.
      await releaseLease(options, owner, { lease, used, change: undefined }).catch(() => undefined)
      throw thrown
    },
  )
  if (result.kind === 'issued') {
    const tokens = toTokenSet(result.tokens, grantOf(owner.stored.record), {
      requestedAt,
      before: areGrantedFor(owner, before) ? before : undefined,
    })
    options.remember(owner.tenant, Object.values(tokens.secrets))
    await releaseLease(options, owner, { lease, used, change: { ...tokens, outcome: 'renewed' } })
    return tokens
  }
  if (result.code === 'invalid_grant' && used !== undefined)
    return requireNewConsent(options, owner, { lease, used })
  await releaseLease(options, owner, { lease, used, change: undefined })
  throw clientRejected(owner.credential, result.code)
}

async function requireNewConsent(
  options: TokensOptions,
  owner: TokenOwner,
  { lease, used }: { readonly lease: string; readonly used: Secret },
) {
  const record: TokenRecord = {
    kind: 'tokens',
    grant: grantOf(owner.stored.record),
    state: 'consent',
  }
  // The spent refresh token stays: a node that was paused during its renewal compares it to see
  // that its own tokens are newer.
  const change = { record, secrets: { refresh: used }, outcome: 'consent_needed' } as const
  const current = await releaseLease(options, owner, { lease, used, change })
  // Another node stored newer tokens meanwhile, which is why the server rejected the old ones.
  if (areGrantedFor(owner, current) && isFresh(current, options.clock.now())) return current
  throw consentRequiredFor(options, owner)
}

function withLease(
  owner: TokenOwner,
  before: StoredTokens | undefined,
  lease: { readonly id: string; readonly until: number },
): TokenSet {
  const none: TokenRecord = { kind: 'tokens', grant: grantOf(owner.stored.record), state: 'none' }
  return { record: { ...(before?.record ?? none), lease }, secrets: before?.secrets ?? {} }
}

function grantFor(
  { stored: { record } }: TokenOwner,
  refreshToken: Secret | undefined,
): TokenGrant {
  // No scope is sent with a refresh token: the server then keeps the scopes that the person
  // consented to.
  if (record.kind === 'authorizationCode') {
    if (refreshToken === undefined) throw new TypeError('`canRenew` was not checked first.')
    return { type: 'refresh_token', refreshToken }
  }
  return {
    type: 'client_credentials',
    parameters: {
      ...(record.scopes.length === 0 ? {} : { scope: record.scopes.join(' ') }),
      ...(record.audience === undefined ? {} : { audience: record.audience }),
    },
  }
}
