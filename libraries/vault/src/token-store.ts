import { isToolError, ToolError } from '@surehand/core'
import { type AdminItem, type Clock, sleep } from '@surehand/core/ports'
import { grantOf, type OAuthRecord } from './credential-record.ts'
import type { Secret } from './secret.ts'
import { isSameSecret, type StoredTokens, TokenRecord, type TokenSet } from './token-record.ts'
import { KEY_LOST } from './vault-errors.ts'
import { itemKey, type StoredItem, type VaultItems } from './vault-items.ts'

/**
 * The credential that tokens belong to, and the person where each person has tokens of their own.
 */
export type TokenOwner = {
  readonly tenant: string
  readonly credential: string
  readonly stored: StoredItem<OAuthRecord>
  readonly principal: string | undefined
}

export type TokenStore = {
  readonly items: VaultItems
  readonly clock: Clock
  /** Notes secrets that were decrypted, so that they can be scrubbed from logs and errors. */
  readonly remember: (tenant: string, secrets: Iterable<Secret>) => void
}

/** The tokens to store, and the outcome that the audit records. */
export type TokenChange = TokenSet & {
  readonly outcome:
    | 'renewing'
    | 'renewed'
    | 'not_renewed'
    | 'consent_needed'
    | 'refused'
    | 'consented'
}

/**
 * Tokens whose key is lost count as absent: client credentials request new ones, otherwise the
 * person is asked to consent again.
 */
export function readTokens(
  store: TokenStore,
  owner: TokenOwner,
): Promise<StoredTokens | undefined> {
  return findTokens(store, owner, (item) =>
    openOrTreatAsNone(item, () => store.items.open(item, TokenRecord)),
  )
}

/** Throws where their key is lost. */
function openTokens(store: TokenStore, owner: TokenOwner): Promise<StoredTokens | undefined> {
  return findTokens(store, owner, (item) => store.items.open(item, TokenRecord))
}

async function findTokens(
  { items, remember }: TokenStore,
  owner: TokenOwner,
  open: (item: AdminItem) => StoredTokens,
): Promise<StoredTokens | undefined> {
  const item = await items.find(itemKey.tokens(owner.tenant, owner.credential, owner.principal))
  if (item === undefined) return undefined
  const tokens = open(item)
  remember(owner.tenant, Object.values(tokens.secrets))
  return tokens
}

function openOrTreatAsNone(
  { tenant, id, version, updatedAt }: AdminItem,
  open: () => StoredTokens,
): StoredTokens {
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

/** False where another process wrote first: read again. */
export async function writeTokens(
  { items }: TokenStore,
  owner: TokenOwner,
  {
    expected,
    change: { outcome, ...next },
  }: { readonly expected: number | undefined; readonly change: TokenChange },
): Promise<boolean> {
  const key = itemKey.tokens(owner.tenant, owner.credential, owner.principal)
  const written = await items.write({
    ...key,
    next,
    expected,
    principal: owner.principal ?? 'system',
    outcome,
  })
  return written !== 'stale'
}

/** Whether the tokens were issued to this client by this server. */
export function areGrantedFor(
  owner: TokenOwner,
  tokens: StoredTokens | undefined,
): tokens is StoredTokens {
  return tokens?.record.grant === grantOf(owner.stored.record)
}

export type LeaseResult = {
  readonly lease: string
  /** The refresh token that was sent. */
  readonly used: Secret | undefined
  /** Undefined: the tokens stay as they were, without the lease. */
  readonly change: TokenChange | undefined
}

const MAX_WRITE_ATTEMPTS = 8
const FIRST_RETRY_DELAY_MS = 100

/**
 * Stores the result and ends the lease. A reseal may have changed the row meanwhile, or the lease
 * expired and another node took it: as long as the stored refresh token is the one that was sent,
 * the tokens from this request are newer and are stored. Otherwise the result is dropped and the
 * tokens that another node stored are returned.
 */
export async function releaseLease(
  store: TokenStore,
  owner: TokenOwner,
  result: LeaseResult,
): Promise<StoredTokens | undefined> {
  let failure: unknown
  for (let attempt = 0; attempt < MAX_WRITE_ATTEMPTS; attempt++) {
    try {
      const released = await tryToReleaseLease(store, owner, result)
      if (released !== 'stale') return released.current
    } catch (thrown) {
      if (isKeyLost(thrown)) throw renewedTokensLost(owner, thrown)
      // The old refresh token is spent. Without another attempt the new one is lost and a person
      // must consent again.
      failure = thrown
      await sleep(store.clock, FIRST_RETRY_DELAY_MS * 2 ** attempt)
    }
  }
  throw new ToolError(
    'TOOL_STORAGE_ERROR',
    `The tokens of "${owner.credential}" could not be stored.`,
    { effect: 'none', cause: failure },
  )
}

async function tryToReleaseLease(
  store: TokenStore,
  owner: TokenOwner,
  { lease, used, change }: LeaseResult,
) {
  // Only a rotated refresh token is lost when it cannot be stored; any other can be requested
  // again.
  const isRotated =
    owner.stored.record.kind === 'authorizationCode' &&
    !isSameSecret(change?.secrets.refresh ?? used, used)
  const before = await (isRotated ? openTokens : readTokens)(store, owner)
  const isHeld = before?.record.lease?.id === lease
  const isNewer =
    change?.outcome === 'renewed' &&
    used !== undefined &&
    isSameSecret(before?.secrets.refresh, used)
  if (before === undefined || !(isHeld || isNewer)) return { current: before }
  const { lease: _, ...record } = before.record
  const unchanged: TokenChange = { record, secrets: before.secrets, outcome: 'not_renewed' }
  return (await writeTokens(store, owner, {
    expected: before.version,
    change: change ?? unchanged,
  }))
    ? { current: undefined }
    : 'stale'
}

/**
 * The row was sealed meanwhile with a key that this node does not have. It is not overwritten
 * unread: a person may just have consented again, with another account.
 */
function renewedTokensLost({ credential }: TokenOwner, cause: ToolError): ToolError {
  const message = `Nothing was sent: the tokens of "${credential}" were renewed but could not be stored. ${cause.message}`
  return new ToolError('TOOL_STORAGE_ERROR', message, {
    details: { source_code: 'tokens_not_kept', credential },
    suggestions: [
      'Give this node the newest key file and restart it.',
      `Then consent again: surehand credentials authorize ${credential}`,
    ],
    effect: 'none',
    cause,
  })
}
