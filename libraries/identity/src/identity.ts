import type { Caller } from '@surehand/core'
import type { Grant } from '@surehand/core/internal'
import type { AdminStore, Clock, Maybe } from '@surehand/core/ports'
import { parseCredential } from './credential-text.ts'
import { createDirectory, type Directory } from './directory.ts'
import type { JwtCallers } from './jwt-callers.ts'
import type { PrincipalRecord, TokenRecord } from './records.ts'
import { isSecretOf } from './secret.ts'
import type { Session } from './sessions.ts'

export type IdentityOptions = {
  readonly store: AdminStore
  readonly clock: Clock
  /** The tenant whose administrators manage the list of tenants. */
  readonly home: string
  readonly jwt?: JwtCallers
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

/** Determines the caller from credentials, never from the input of a call. */
export type Identity = {
  /**
   * For the text after `Bearer`. Undefined where it is not valid. Synchronous where the result is
   * cached.
   */
  readonly authenticate: (bearer: string) => Maybe<SignedIn | undefined>
  /** For the session of a page. */
  readonly authenticateSession: (session: Session) => Promise<Caller | undefined>
  /**
   * Limits a stored caller to today's permissions, or undefined where they have none. For
   * `createRuntime`.
   */
  readonly currentCaller: (caller: Caller) => Promise<Caller | undefined>
  readonly directory: Directory
}

const TOKEN_SESSION = 'token:'
const JWT_SESSION = 'jwt:'

export function createIdentity({ store, clock, home, jwt }: IdentityOptions): Identity {
  const directory = createDirectory({ store, clock, home })
  const tokenCache = createTokenCache(clock)

  async function authenticateToken(bearer: string): Promise<SignedIn | undefined> {
    const given = parseCredential('sh', bearer)
    if (given === undefined) return undefined
    // Read before the lookups, which can only return newer data: the cached result must not outlive
    // the data it is based on.
    const ticks = Math.min(directory.freshUntil(home), directory.freshUntil(given.tenant))
    if (!(await directory.isOpen(given.tenant))) return undefined
    const token = await directory.token(given.tenant, given.id)
    if (token === undefined || !isSecretOf(given.secret, token.hash)) return undefined
    const caller = await callerOfToken(given.tenant, given.id)
    if (caller === undefined) return undefined
    const signedIn = { caller, credential: `${given.tenant}/${given.id}`, token: given.id }
    tokenCache.set(bearer, signedIn, {
      ticks,
      expiresAt: token.expiresAt ?? Number.POSITIVE_INFINITY,
    })
    return signedIn
  }

  async function callerOfToken(tenant: string, id: string): Promise<Caller | undefined> {
    const token = await directory.token(tenant, id)
    if (token === undefined || token.revokedAt !== undefined) return undefined
    if (token.expiresAt !== undefined && token.expiresAt <= clock.now()) return undefined
    const record = await directory.principal(tenant, token.principal)
    if (record === undefined || record.disabled) return undefined
    return toCaller(
      { tenant, principal: token.principal, session: `${TOKEN_SESSION}${id}`, token },
      record,
    )
  }

  async function authenticateJwt(bearer: string): Promise<SignedIn | undefined> {
    const claimed = await jwt?.read(bearer)
    const caller =
      claimed === undefined ? undefined : await rejectDisabled(directory, claimed.caller)
    if (claimed === undefined || caller === undefined) return undefined
    return {
      caller,
      credential: `${caller.tenant}/jwt/${caller.principal}/${caller.actor}`,
      expiresAt: claimed.expiresAt,
    }
  }

  return {
    authenticate: (bearer) =>
      bearer.startsWith('sh_')
        ? (tokenCache.get(bearer) ?? authenticateToken(bearer))
        : authenticateJwt(bearer),
    async authenticateSession({ id, tenant, principal, token, claimed }) {
      if (claimed !== undefined)
        return rejectDisabled(directory, {
          tenant,
          principal,
          actor: 'user',
          capabilities: [],
          ...claimed,
          session: `${JWT_SESSION}${id}`,
        })
      if (!(await directory.isOpen(tenant))) return undefined
      if (token !== undefined) return callerOfToken(tenant, token)
      const record = await directory.principal(tenant, principal)
      return record === undefined || record.disabled
        ? undefined
        : toCaller({ tenant, principal, session: `page:${id}` }, record)
    },
    currentCaller: (caller) => limitToCurrentPermissions(directory, caller),
    directory,
  }
}

async function limitToCurrentPermissions(
  directory: Directory,
  caller: Caller,
): Promise<Caller | undefined> {
  if (caller.session?.startsWith(JWT_SESSION)) return rejectDisabled(directory, caller)
  if (!(await directory.isOpen(caller.tenant))) return undefined
  // Work of the server itself, such as a webhook's job: no credential can name this actor.
  if (caller.actor === 'system') return caller
  const record = await directory.principal(caller.tenant, caller.principal)
  if (record === undefined || record.disabled || (await isRevoked(directory, caller)))
    return undefined
  const today = toCaller(
    {
      tenant: caller.tenant,
      principal: caller.principal,
      session: caller.session ?? '',
      token: {
        actor: caller.actor === 'ai_agent' ? 'ai_agent' : 'user',
        ...(caller.scopes === undefined ? {} : { scopes: caller.scopes }),
      },
    },
    record,
  )
  return limitToToday(caller, today)
}

// The issuer authenticates the caller, but the tenant may have disabled them.
async function rejectDisabled(directory: Directory, caller: Caller): Promise<Caller | undefined> {
  if (!(await directory.isOpen(caller.tenant))) return undefined
  const record = await directory.principal(caller.tenant, caller.principal)
  return record?.disabled ? undefined : caller
}

// A token that has expired since was valid when the call was made; a revoked one must not be used
// any more.
async function isRevoked(directory: Directory, { tenant, session }: Caller): Promise<boolean> {
  if (!session?.startsWith(TOKEN_SESSION)) return false
  const token = await directory.token(tenant, session.slice(TOKEN_SESSION.length))
  return token === undefined || token.revokedAt !== undefined
}

// Stored claims ∩ today's grants: permissions that were granted later do not widen an earlier call.
function limitToToday(stored: Caller, today: Caller): Caller {
  const { delegated } = today
  return {
    ...stored,
    roles: stored.roles.filter((role) => today.roles.includes(role)),
    capabilities: intersectGrants(stored.capabilities, today.capabilities),
    ...(delegated === undefined
      ? {}
      : {
          delegated:
            stored.delegated === undefined
              ? delegated
              : intersectGrants(stored.delegated, delegated),
        }),
  }
}

// The intersection of `habit.*` and `habit.read` is `habit.read`.
function intersectGrants<T extends Caller['capabilities'][number]>(
  some: readonly T[],
  others: readonly T[],
): readonly T[] {
  const common = [
    ...some.filter((grant) => others.some((other) => covers(other, grant))),
    ...others.filter((grant) => some.some((other) => covers(other, grant))),
  ]
  return common.filter(
    (grant, index) =>
      common.findIndex((other) => JSON.stringify(other) === JSON.stringify(grant)) === index,
  )
}

function covers(wide: string | Grant, narrow: string | Grant): boolean {
  if (typeof wide !== 'string' || typeof narrow !== 'string')
    return JSON.stringify(wide) === JSON.stringify(narrow)
  return (
    wide === '*' || wide === narrow || (wide.endsWith('.*') && narrow.startsWith(wide.slice(0, -1)))
  )
}

/** A person or agent, and the credential they presented. */
type CredentialHolder = {
  readonly tenant: string
  readonly principal: string
  readonly session: string
  readonly token?:
    | { readonly actor: TokenRecord['actor']; readonly scopes?: readonly string[] }
    | undefined
}

/** The caller with the permissions that the principal has today, limited by the credential. */
function toCaller(
  { tenant, principal, session, token }: CredentialHolder,
  record: PrincipalRecord,
): Caller {
  return {
    tenant,
    principal,
    actor: token?.actor ?? 'user',
    roles: limitRoles(record.roles, token?.scopes),
    // The schema leaves conditions open: core checks them and refuses malformed ones.
    capabilities: record.capabilities as readonly (string | Grant)[],
    session,
    ...(token?.scopes === undefined ? {} : { scopes: token.scopes }),
    ...(record.delegated === undefined ? {} : { delegated: record.delegated }),
    ...(record.timeZone === undefined ? {} : { timeZone: record.timeZone }),
    ...(record.locale === undefined ? {} : { locale: record.locale }),
  }
}

// A token that is limited to some capabilities must not administer the tenant because its holder
// may.
function limitRoles(
  roles: readonly string[],
  scopes: readonly string[] | undefined,
): readonly string[] {
  if (scopes === undefined || scopes.includes('*')) return roles
  return [...new Set(roles.map((role) => (role === 'admin' ? 'power_user' : role)))]
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
export function createTokenCache(clock: Clock): TokenCache {
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
