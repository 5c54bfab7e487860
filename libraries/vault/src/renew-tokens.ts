import { ToolError } from '@surehand/core'
import { type Entropy, sleep } from '@surehand/core/ports'
import { grantOf } from './credential-record.ts'
import type { Secret } from './secret.ts'
import { askForTokens, type TokenClient, type TokenEndpoint } from './token-endpoint.ts'
import {
  isFresh,
  type KeptTokens,
  type TokenForm,
  type TokenRecord,
  tokensFrom,
} from './token-record.ts'
import {
  areFor,
  readTokens,
  settleTokens,
  type TokenOwner,
  type TokenShelf,
  writeTokens,
} from './token-shelf.ts'
import { clientRefused, consentNeeded } from './trouble.ts'

export type TokensOptions = TokenShelf &
  TokenEndpoint & {
    readonly chance: Entropy
    readonly consentLink: (tenant: string, credential: string) => string | undefined
  }

// twice as long as a token endpoint is waited for: the clocks of two nodes may differ by the rest
const LEASE_MS = 30_000
const LOOK_AGAIN_MS = 50
const PATIENCE_MS = 45_000

/** New tokens: under a lease in the store, or those that whoever has it brings. */
export async function renewTokens(options: TokensOptions, owner: TokenOwner): Promise<TokenForm> {
  const { clock, chance } = options
  const begun = clock.ticks()
  while (clock.ticks() - begun < PATIENCE_MS) {
    const before = await readTokens(options, owner)
    if (areFor(owner, before) && isFresh(before, clock.now())) return before
    if (!canRenew(owner, before)) throw noConsent(options, owner)
    const isLeased = before?.record.lease !== undefined && before.record.lease.until > clock.now()
    const lease = { id: chance.newId('lease', clock.now()), until: clock.now() + LEASE_MS }
    const change = { ...withLease(owner, before, lease), outcome: 'renewing' } as const
    if (!isLeased && (await writeTokens(options, owner, { expected: before?.version, change })))
      return renewUnder(options, owner, { lease: lease.id, before })
    await sleep(clock, LOOK_AGAIN_MS)
  }
  throw new ToolError(
    'TOOL_RESOURCE_UNAVAILABLE',
    `Nothing was sent: the tokens of "${owner.credential}" take too long to renew.`,
    {
      effect: 'none',
    },
  )
}

export function canRenew(owner: TokenOwner, kept: KeptTokens | undefined): boolean {
  if (owner.kept.record.kind === 'clientCredentials') return true
  return areFor(owner, kept) && kept.record.state === 'held' && kept.secrets.refresh !== undefined
}

export function noConsent(
  { consentLink }: TokensOptions,
  { tenant, credential, principal }: TokenOwner,
): ToolError {
  return consentNeeded(
    credential,
    principal === undefined ? 'tenant' : 'principal',
    consentLink(tenant, credential),
  )
}

export function clientOf({ tenant, credential, kept }: Omit<TokenOwner, 'principal'>): TokenClient {
  const { tokenUrl, clientId, auth } = kept.record
  return { tenant, credential, tokenUrl, clientId, auth, clientSecret: kept.secrets.clientSecret }
}

type Leased = { readonly lease: string; readonly before: KeptTokens | undefined }

async function renewUnder(
  options: TokensOptions,
  owner: TokenOwner,
  { lease, before }: Leased,
): Promise<TokenForm> {
  const used = before?.secrets.refresh
  const askedAt = options.clock.now()
  const answer = await askForTokens(options, clientOf(owner), parametersOf(owner, used)).catch(
    async (thrown: unknown) => {
      // not settled either: then the lease runs out by itself, and this error is the one to tell
      await settleTokens(options, owner, { lease, used, change: undefined }).catch(() => undefined)
      throw thrown
    },
  )
  if (answer.kind === 'granted') {
    const made = tokensFrom(answer.granted, grantOf(owner.kept.record), {
      askedAt,
      before: areFor(owner, before) ? before : undefined,
    })
    options.remember(owner.tenant, Object.values(made.secrets))
    await settleTokens(options, owner, { lease, used, change: { ...made, outcome: 'renewed' } })
    return made
  }
  if (answer.code === 'invalid_grant' && used !== undefined)
    return askAgain(options, owner, { lease, used })
  await settleTokens(options, owner, { lease, used, change: undefined })
  throw clientRefused(owner.credential, answer.code)
}

async function askAgain(
  options: TokensOptions,
  owner: TokenOwner,
  { lease, used }: { readonly lease: string; readonly used: Secret },
) {
  const record: TokenRecord = {
    kind: 'tokens',
    grant: grantOf(owner.kept.record),
    state: 'consent',
  }
  // the spent one stays: a node that was paused while it renewed can still show that what it has is newer
  const change = { record, secrets: { refresh: used }, outcome: 'consent_needed' } as const
  const theirs = await settleTokens(options, owner, { lease, used, change })
  // somebody brought newer ones meanwhile: the old were refused for a good reason
  if (areFor(owner, theirs) && isFresh(theirs, options.clock.now())) return theirs
  throw noConsent(options, owner)
}

function withLease(
  owner: TokenOwner,
  before: KeptTokens | undefined,
  lease: { readonly id: string; readonly until: number },
): TokenForm {
  const none: TokenRecord = { kind: 'tokens', grant: grantOf(owner.kept.record), state: 'none' }
  return { record: { ...(before?.record ?? none), lease }, secrets: before?.secrets ?? {} }
}

function parametersOf(
  { kept: { record } }: TokenOwner,
  refresh: Secret | undefined,
): Readonly<Record<string, string>> {
  // without a scope: what was agreed to stays as it is
  if (record.kind === 'authorizationCode')
    return { grant_type: 'refresh_token', refresh_token: refresh?.reveal() ?? '' }
  return {
    grant_type: 'client_credentials',
    ...(record.scopes.length === 0 ? {} : { scope: record.scopes.join(' ') }),
    ...(record.audience === undefined ? {} : { audience: record.audience }),
  }
}
