import { ANONYMOUS, type Caller } from '@surehand/core'
import type { AdminStore, Clock, Maybe } from '@surehand/core/ports'
import { parseCredential } from './credential-text.ts'
import { createDirectory, type Directory } from './directory.ts'
import type { JwtCallers } from './jwt-callers.ts'
import {
  type CredentialHolder,
  callerOfRecord,
  limitToToday,
  narrowCaller,
} from './narrow-caller.ts'
import { type PrincipalRecord, principalId } from './records.ts'
import type { OpenSessions } from './open-sessions.ts'
import { isSecretOf } from './secret.ts'
import type { Session } from './sessions.ts'
import type { TokenUses } from './use-notes.ts'

export type IdentityOptions = {
  readonly store: AdminStore
  readonly clock: Clock
  /** The tenant whose administrators manage the list of tenants. */
  readonly home: string
  readonly jwt?: JwtCallers
  /** Names that no issuer may claim, such as the principals that a pack keeps itself. */
  readonly isReserved?: (principal: string) => boolean
  /** The sessions of pages, for all nodes. Without it a cookie is valid until it expires. */
  readonly openSessions?: OpenSessions
  /** Where it is noted when tokens were last used. */
  readonly tokenUses?: TokenUses
}

/** An authenticated caller. */
export type SignedIn = {
  readonly caller: Caller
  /** Identifies the credential for limits at the edge. It is not secret. */
  readonly credential: string
  /** The id of the token, for sessions that end when it is revoked. */
  readonly token?: string
  /** When an issuer's token expires: a session that was opened with it ends then. */
  readonly expiresAt?: number
}

/** An access token of an OAuth client: the record of the consent, and its own expiry. */
export type IssuedAccess = {
  readonly tenant: string
  readonly token: string
  readonly expiresAt: number
}

type FindAccess = (bearer: string) => Promise<IssuedAccess | undefined>

/** Determines the caller from credentials, never from the input of a call. */
export type Identity = {
  /**
   * For the text after `Bearer`. Undefined where it is not valid. Synchronous where the result is
   * cached.
   */
  readonly authenticate: (bearer: string) => Maybe<SignedIn | undefined>
  /**
   * For the access token of an OAuth client. `find` looks up the consent that it was issued for.
   * `authenticate` refuses such tokens, because each is meant for one resource.
   */
  readonly authenticateClient: (bearer: string, find: FindAccess) => Maybe<SignedIn | undefined>
  /** For the session of a page. */
  readonly authenticateSession: (session: Session) => Promise<Caller | undefined>
  /** The sessions of pages: they are entered when they begin, and end before their cookies expire. */
  readonly openSessions: OpenSessions | undefined
  /**
   * Limits a stored caller to today's permissions, or undefined where they have none. For
   * `createRuntime`.
   */
  readonly currentCaller: (caller: Caller) => Promise<Caller | undefined>
  readonly directory: Directory
}

const TOKEN_SESSION = 'token:'
const CLIENT_SESSION = 'oauth:'
const JWT_SESSION = 'jwt:'

export function createIdentity({
  store,
  clock,
  home,
  jwt,
  isReserved = () => false,
  openSessions,
  tokenUses,
}: IdentityOptions): Identity {
  const directory = createDirectory({ store, clock, home })
  const records = { directory, clock }
  const tokenCache = createTokenCache(clock, tokenUses?.note)

  async function authenticateToken(bearer: string): Promise<SignedIn | undefined> {
    const given = parseCredential('sh', bearer)
    if (given === undefined) return undefined
    // Read before the lookups, which can only return newer data: the cached result must not outlive
    // the data it is based on.
    const ticks = Math.min(directory.freshUntil(home), directory.freshUntil(given.tenant))
    if (!(await directory.isOpen(given.tenant))) return undefined
    const token = await directory.token(given.tenant, given.id)
    if (token?.oauth !== undefined || !isSecretOf(given.secret, token?.hash ?? '')) return undefined
    const caller = await callerOfToken(records, given.tenant, given.id)
    if (caller === undefined) return undefined
    const signedIn = { caller, credential: `${given.tenant}/${given.id}`, token: given.id }
    tokenCache.set(bearer, signedIn, {
      ticks,
      expiresAt: token?.expiresAt ?? Number.POSITIVE_INFINITY,
    })
    return signedIn
  }

  async function authenticateAccess(
    bearer: string,
    find: FindAccess,
  ): Promise<SignedIn | undefined> {
    const issued = await find(bearer)
    if (issued === undefined || issued.expiresAt <= clock.now()) return undefined
    const { tenant, token: id, expiresAt } = issued
    const ticks = Math.min(directory.freshUntil(home), directory.freshUntil(tenant))
    if ((await directory.token(tenant, id))?.oauth === undefined) return undefined
    const caller = await callerOfToken(records, tenant, id)
    const signedIn = caller && { caller, credential: `${tenant}/${id}`, expiresAt }
    if (signedIn !== undefined) tokenCache.set(bearer, signedIn, { ticks, expiresAt })
    return signedIn
  }

  async function callerOfClaims(caller: Caller): Promise<Caller | undefined> {
    if (!canBeDisabled(caller.principal) || isReserved(caller.principal)) return undefined
    // The issuer authenticates the caller, but the tenant may have disabled them.
    const record = await findOpenRecord(directory, caller)
    return record === 'closed' ? undefined : narrowCaller(caller, record)
  }

  async function authenticateJwt(bearer: string): Promise<SignedIn | undefined> {
    const claimed = await jwt?.read(bearer)
    const caller = claimed === undefined ? undefined : await callerOfClaims(claimed.caller)
    if (claimed === undefined || caller === undefined) return undefined
    return {
      caller,
      credential: `${caller.tenant}/jwt/${caller.principal}/${caller.actor}`,
      expiresAt: claimed.expiresAt,
    }
  }

  async function callerOfSession(session: Session): Promise<Caller | undefined> {
    if (await openSessions?.hasEnded(session)) return undefined
    const { tenant, principal, token, claimed } = session
    if (claimed !== undefined) return callerOfClaims(claimedCaller(session, claimed))
    if (token !== undefined) return callerOfToken(records, tenant, token)
    const holder = { tenant, principal, actor: 'user', session: `page:${session.id}` } as const
    return callerOfPrincipal(directory, holder)
  }

  return {
    authenticate: (bearer) =>
      bearer.startsWith('sh_')
        ? (tokenCache.get(bearer) ?? authenticateToken(bearer))
        : authenticateJwt(bearer),
    authenticateClient: (bearer, find) =>
      tokenCache.get(bearer) ?? authenticateAccess(bearer, find),
    openSessions,
    authenticateSession: callerOfSession,
    currentCaller: (caller) => limitToCurrentPermissions(directory, caller),
    directory,
  }
}

/** The caller of a token, or of the consent to an OAuth client; undefined where it has ended. */
async function callerOfToken(
  { directory, clock }: { readonly directory: Directory; readonly clock: Clock },
  tenant: string,
  id: string,
): Promise<Caller | undefined> {
  const token = await directory.token(tenant, id)
  if (token === undefined || token.revokedAt !== undefined) return undefined
  if (token.expiresAt !== undefined && token.expiresAt <= clock.now()) return undefined
  return callerOfPrincipal(directory, {
    tenant,
    principal: token.principal,
    actor: token.actor,
    session: `${token.oauth === undefined ? TOKEN_SESSION : CLIENT_SESSION}${id}`,
    scopes: token.scopes,
  })
}

function claimedCaller(
  { id, tenant, principal }: Session,
  claimed: NonNullable<Session['claimed']>,
): Caller {
  const session = `${JWT_SESSION}${id}`
  return { tenant, principal, actor: 'user', capabilities: [], ...claimed, session }
}

// The principals of the server's own work and of requests without a sign-in.
const RESERVED: readonly string[] = ['system', ANONYMOUS.principal]

// A name that the tenant could not enter, and so not disable, is not let in.
function canBeDisabled(principal: string): boolean {
  return principalId().safeParse(principal).success && !RESERVED.includes(principal)
}

async function callerOfPrincipal(
  directory: Directory,
  holder: CredentialHolder,
): Promise<Caller | undefined> {
  const record = await findOpenRecord(directory, holder)
  return record === undefined || record === 'closed' ? undefined : callerOfRecord(holder, record)
}

async function limitToCurrentPermissions(
  directory: Directory,
  caller: Caller,
): Promise<Caller | undefined> {
  // Work of the server itself, such as a webhook's job: no credential can name this actor.
  if (caller.actor === 'system') return (await directory.isOpen(caller.tenant)) ? caller : undefined
  const record = await findOpenRecord(directory, caller)
  if (record === 'closed') return undefined
  // The rights of an issuer's caller come from its claims, which are stored with the call.
  if (caller.session?.startsWith(JWT_SESSION)) return narrowCaller(caller, record)
  if (record === undefined || (await isRevoked(directory, caller))) return undefined
  return limitToToday(caller, callerOfRecord(caller, record))
}

/** The record of a principal, if there is one; `closed` where they or their tenant are disabled. */
async function findOpenRecord(
  directory: Directory,
  { tenant, principal }: Pick<Caller, 'tenant' | 'principal'>,
): Promise<PrincipalRecord | 'closed' | undefined> {
  if (!(await directory.isOpen(tenant))) return 'closed'
  const record = await directory.principal(tenant, principal)
  return record?.disabled ? 'closed' : record
}

// A token that has expired since was valid when the call was made; a revoked one must not be used
// any more.
async function isRevoked(directory: Directory, { tenant, session }: Caller): Promise<boolean> {
  const prefix = [TOKEN_SESSION, CLIENT_SESSION].find((one) => session?.startsWith(one))
  if (session === undefined || prefix === undefined) return false
  const token = await directory.token(tenant, session.slice(prefix.length))
  return token === undefined || token.revokedAt !== undefined
}

/** Maps the text of a token to its caller, for as long as the directory's data is fresh. */
export type TokenCache = {
  readonly get: (bearer: string) => SignedIn | undefined
  readonly set: (bearer: string, signedIn: SignedIn, until: CacheExpiry) => void
}

/**
 * Both must be in the future: the end of the directory's data, in ticks, and the expiry of the
 * token.
 */
export type CacheExpiry = { readonly ticks: number; readonly expiresAt: number }

// Token texts do not stay in memory much longer than they are used, and many tokens cannot fill it.
const FORGET_MS = 1_000
const MAX_TOKENS = 10_000

/**
 * Avoids parsing, hashing and looking up the same token again. A revocation takes effect as fast as
 * without the cache.
 */
export function createTokenCache(
  clock: Clock,
  onUse: (credential: string) => void = () => undefined,
): TokenCache {
  const known = new Map<string, { readonly signedIn: SignedIn; readonly until: CacheExpiry }>()
  let forgetAtTicks = Number.NEGATIVE_INFINITY
  return {
    get(bearer) {
      const found = known.get(bearer)
      if (
        found === undefined ||
        clock.ticks() >= found.until.ticks ||
        clock.now() >= found.until.expiresAt
      )
        return undefined
      return found.signedIn
    },
    set(bearer, signedIn, until) {
      // Only here, so that a cached token costs nothing more: one that is in use is set every second.
      onUse(signedIn.credential)
      const now = clock.ticks()
      if (now >= until.ticks) return
      if (now >= forgetAtTicks || known.size >= MAX_TOKENS) {
        known.clear()
        forgetAtTicks = now + FORGET_MS
      }
      known.set(bearer, { signedIn, until })
    },
  }
}
