import { isToolError, ToolError } from '@surehand/core'
import { type AdminItem, type Clock, sleep } from '@surehand/core/ports'
import { grantOf, type OAuthRecord } from './credential-record.ts'
import type { Secret } from './secret.ts'
import { isSameSecret, type KeptTokens, type TokenForm, TokenRecord } from './token-record.ts'
import { KEY_LOST } from './trouble.ts'
import { type Kept, placeOf, type VaultItems } from './vault-items.ts'

/** Whose tokens: of which credential, and of which person where each has their own. */
export type TokenOwner = {
  readonly tenant: string
  readonly credential: string
  readonly kept: Kept<OAuthRecord>
  readonly principal: string | undefined
}

export type TokenShelf = {
  readonly items: VaultItems
  readonly clock: Clock
  readonly remember: (tenant: string, secrets: Iterable<Secret>) => void
}

/** What is to stand there, and what the audit calls it. */
export type TokenChange = TokenForm & {
  readonly outcome:
    | 'renewing'
    | 'renewed'
    | 'not_renewed'
    | 'consent_needed'
    | 'refused'
    | 'consented'
}

/** Tokens whose key is lost are as good as none: where nobody has to agree new ones are asked for, else somebody is told to agree again. */
export function readTokens(shelf: TokenShelf, owner: TokenOwner): Promise<KeptTokens | undefined> {
  return tokensOn(shelf, owner, (item) =>
    orNobodys(item, () => shelf.items.open(item, TokenRecord)),
  )
}

/** Throws where their key is lost. */
function openTokens(shelf: TokenShelf, owner: TokenOwner): Promise<KeptTokens | undefined> {
  return tokensOn(shelf, owner, (item) => shelf.items.open(item, TokenRecord))
}

async function tokensOn(
  { items, remember }: TokenShelf,
  owner: TokenOwner,
  open: (item: AdminItem) => KeptTokens,
): Promise<KeptTokens | undefined> {
  const item = await items.find(placeOf.tokens(owner.tenant, owner.credential, owner.principal))
  if (item === undefined) return undefined
  const kept = open(item)
  remember(owner.tenant, Object.values(kept.secrets))
  return kept
}

function orNobodys(
  { tenant, id, version, updatedAt }: AdminItem,
  open: () => KeptTokens,
): KeptTokens {
  try {
    return open()
  } catch (thrown) {
    if (!isKeyLost(thrown)) throw thrown
    return {
      tenant,
      id,
      version,
      updatedAt,
      record: { kind: 'tokens', grant: '', state: 'none' },
      secrets: {},
    }
  }
}

function isKeyLost(thrown: unknown): thrown is ToolError {
  return isToolError(thrown) && thrown.details?.source_code === KEY_LOST
}

/** False: somebody was first, look again. */
export async function writeTokens(
  { items }: TokenShelf,
  owner: TokenOwner,
  {
    expected,
    change: { outcome, ...next },
  }: { readonly expected: number | undefined; readonly change: TokenChange },
): Promise<boolean> {
  const place = placeOf.tokens(owner.tenant, owner.credential, owner.principal)
  const written = await items.write({
    ...place,
    next,
    expected,
    principal: owner.principal ?? 'system',
    outcome,
  })
  return written !== 'stale'
}

/** Were they granted for this client, by this server? */
export function areFor(owner: TokenOwner, kept: KeptTokens | undefined): kept is KeptTokens {
  return kept?.record.grant === grantOf(owner.kept.record)
}

export type Settling = {
  readonly lease: string
  /** The refresh token that was sent. */
  readonly used: Secret | undefined
  /** Undefined: they stay as they were, without the lease. */
  readonly change: TokenChange | undefined
}

const MOST_TRIES = 8
const PAUSE_MS = 100

/**
 * Ends a lease. A reseal may have come between, or another node may have the lease since ours ran out: as long as the refresh token there is
 * the one that we sent, what we were given is newer. Answers what stands there when it is somebody else's.
 */
export async function settleTokens(
  shelf: TokenShelf,
  owner: TokenOwner,
  settling: Settling,
): Promise<KeptTokens | undefined> {
  let trouble: unknown
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    try {
      const settled = await tryToSettle(shelf, owner, settling)
      if (settled !== 'stale') return settled.theirs
    } catch (thrown) {
      if (isKeyLost(thrown)) throw outOfSight(owner, thrown)
      // the old refresh token is spent: given up here, the new one is lost and a person must agree again
      trouble = thrown
      await sleep(shelf.clock, PAUSE_MS * 2 ** tries)
    }
  }
  throw new ToolError(
    'TOOL_STORAGE_ERROR',
    `The tokens of "${owner.credential}" could not be kept.`,
    { effect: 'none', cause: trouble },
  )
}

async function tryToSettle(
  shelf: TokenShelf,
  owner: TokenOwner,
  { lease, used, change }: Settling,
) {
  // where the refresh token lasts, or none is needed, nothing is lost with what can't be kept
  const isRotated =
    owner.kept.record.kind === 'authorizationCode' &&
    !isSameSecret(change?.secrets.refresh ?? used, used)
  const before = await (isRotated ? openTokens : readTokens)(shelf, owner)
  const isHeld = before?.record.lease?.id === lease
  const isNewer =
    change?.outcome === 'renewed' &&
    used !== undefined &&
    isSameSecret(before?.secrets.refresh, used)
  if (before === undefined || !(isHeld || isNewer)) return { theirs: before }
  const { lease: _, ...freed } = before.record
  const asTheyWere: TokenChange = { record: freed, secrets: before.secrets, outcome: 'not_renewed' }
  return (await writeTokens(shelf, owner, {
    expected: before.version,
    change: change ?? asTheyWere,
  }))
    ? { theirs: undefined }
    : 'stale'
}

/**
 * What was renewed can't be kept: the row was sealed meanwhile with a key that is not here. Not written over unseen: a person may just have
 * agreed anew, with another account.
 */
function outOfSight({ credential }: TokenOwner, cause: ToolError): ToolError {
  const message = `Nothing was sent: the tokens of "${credential}" were renewed and could not be kept. ${cause.message}`
  return new ToolError('TOOL_STORAGE_ERROR', message, {
    details: { source_code: 'tokens_not_kept', credential },
    suggestions: [
      'Give this node the newest file of keys and start it again.',
      `Then agree again: surehand credentials authorize ${credential}`,
    ],
    effect: 'none',
    cause,
  })
}
