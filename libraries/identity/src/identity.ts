import type { Caller } from '@surehand/core'
import type { Grant } from '@surehand/core/internal'
import type { AdminStore, Clock, Maybe } from '@surehand/core/ports'
import { callerOf } from './caller-of.ts'
import { readCredential } from './credential-text.ts'
import { createDirectory, type Directory } from './directory.ts'
import type { JwtCallers } from './jwt-callers.ts'
import { createRecognized } from './recognized.ts'
import { isSecretOf } from './secret.ts'
import type { Session } from './sessions.ts'

export type IdentityOptions = {
  readonly store: AdminStore
  readonly clock: Clock
  /** The house whose administrators keep the list of houses. */
  readonly home: string
  readonly jwt?: JwtCallers
}

/** Somebody who has shown a credential. */
export type SignedIn = {
  readonly caller: Caller
  /** Names the credential, for limits at the edge; it is no secret. */
  readonly credential: string
  /** The token it is, for sessions that end with it. */
  readonly token?: string
  /** When an issuer's token runs out: a session that was opened with it ends then. */
  readonly expiresAt?: number
}

/** Who is calling: from the token alone. */
export type Identity = {
  /** By the text behind `Bearer`; undefined: nobody. Not waited for where it is known. */
  readonly authenticate: (bearer: string) => Maybe<SignedIn | undefined>
  /** By a page's session. */
  readonly ofSession: (session: Session) => Promise<Caller | undefined>
  /** What a stored caller may do today; undefined: nothing any more. For `createRuntime`. */
  readonly standing: (caller: Caller) => Promise<Caller | undefined>
  readonly directory: Directory
}

const TOKEN_SESSION = 'token:'
const JWT_SESSION = 'jwt:'

export function createIdentity({ store, clock, home, jwt }: IdentityOptions): Identity {
  const directory = createDirectory({ store, clock, home })
  const recognized = createRecognized(clock)

  async function byToken(bearer: string): Promise<SignedIn | undefined> {
    const given = readCredential('sh', bearer)
    if (given === undefined) return undefined
    // before the looks, which may only bring something newer: what is remembered must not outlive what it was judged by
    const ticks = Math.min(directory.holdsUntil(home), directory.holdsUntil(given.tenant))
    if (!(await directory.isOpen(given.tenant))) return undefined
    const token = await directory.token(given.tenant, given.id)
    if (token === undefined || !isSecretOf(given.secret, token.hash)) return undefined
    const caller = await ofToken(given.tenant, given.id)
    if (caller === undefined) return undefined
    const signedIn = { caller, credential: `${given.tenant}/${given.id}`, token: given.id }
    recognized.keep(bearer, signedIn, {
      ticks,
      expiresAt: token.expiresAt ?? Number.POSITIVE_INFINITY,
    })
    return signedIn
  }

  async function ofToken(tenant: string, id: string): Promise<Caller | undefined> {
    const token = await directory.token(tenant, id)
    if (token === undefined || token.revokedAt !== undefined) return undefined
    if (token.expiresAt !== undefined && token.expiresAt <= clock.now()) return undefined
    const record = await directory.principal(tenant, token.principal)
    if (record === undefined || record.disabled) return undefined
    return callerOf(
      { tenant, principal: token.principal, session: `${TOKEN_SESSION}${id}`, token },
      record,
    )
  }

  async function byJwt(bearer: string): Promise<SignedIn | undefined> {
    const claimed = await jwt?.read(bearer)
    const caller = claimed === undefined ? undefined : await admitted(claimed.caller)
    if (claimed === undefined || caller === undefined) return undefined
    return {
      caller,
      credential: `${caller.tenant}/jwt/${caller.principal}/${caller.actor}`,
      expiresAt: claimed.expiresAt,
    }
  }

  // the issuer says who it is; this house may still have shut them out
  async function admitted(caller: Caller): Promise<Caller | undefined> {
    if (!(await directory.isOpen(caller.tenant))) return undefined
    const record = await directory.principal(caller.tenant, caller.principal)
    return record?.disabled ? undefined : caller
  }

  return {
    authenticate: (bearer) =>
      bearer.startsWith('sh_') ? (recognized.find(bearer) ?? byToken(bearer)) : byJwt(bearer),
    async ofSession({ id, tenant, principal, token, claimed }) {
      if (claimed !== undefined)
        return admitted({
          tenant,
          principal,
          actor: 'user',
          capabilities: [],
          ...claimed,
          session: `${JWT_SESSION}${id}`,
        })
      if (!(await directory.isOpen(tenant))) return undefined
      if (token !== undefined) return ofToken(tenant, token)
      const record = await directory.principal(tenant, principal)
      return record === undefined || record.disabled
        ? undefined
        : callerOf({ tenant, principal, session: `page:${id}` }, record)
    },
    async standing(caller) {
      if (caller.session?.startsWith(JWT_SESSION)) return admitted(caller)
      if (!(await directory.isOpen(caller.tenant))) return undefined
      const record = await directory.principal(caller.tenant, caller.principal)
      if (record === undefined || record.disabled || (await isRevoked(caller))) return undefined
      const today = callerOf(
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
      return within(caller, today)
    },
    directory,
  }

  // a token that has run out since was good when the call was made; one that was revoked was taken back
  async function isRevoked({ tenant, session }: Caller): Promise<boolean> {
    if (!session?.startsWith(TOKEN_SESSION)) return false
    const token = await directory.token(tenant, session.slice(TOKEN_SESSION.length))
    return token === undefined || token.revokedAt !== undefined
  }
}

// stored claims ∩ today's grants: what was given since does not widen what was asked then
function within(stored: Caller, today: Caller): Caller {
  const { delegated } = today
  return {
    ...stored,
    roles: stored.roles.filter((role) => today.roles.includes(role)),
    capabilities: both(stored.capabilities, today.capabilities),
    ...(delegated === undefined
      ? {}
      : {
          delegated: stored.delegated === undefined ? delegated : both(stored.delegated, delegated),
        }),
  }
}

// `habit.*` and `habit.read` have `habit.read` in common
function both<T extends Caller['capabilities'][number]>(
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
