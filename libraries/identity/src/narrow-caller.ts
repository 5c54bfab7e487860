import type { Caller } from '@surehand/core'
import { type Grant, isNarrowed } from '@surehand/core/internal'
import type { PrincipalRecord } from './records.ts'

/** A person or agent, and the limits of the credential they presented. */
export type CredentialHolder = Pick<Caller, 'tenant' | 'principal' | 'actor' | 'timeZone'> & {
  readonly session?: string | undefined
  readonly scopes?: readonly string[] | undefined
}

/**
 * Limits a caller by its credential and by the delegation of its principal. Every kind of
 * credential passes through here: tokens of this server, tokens of an issuer, and the sessions that
 * either of them or a link opens. The record is undefined for an issuer's principal that the tenant
 * has not entered.
 */
export function narrowCaller(caller: Caller, record: PrincipalRecord | undefined): Caller {
  const delegated = narrowDelegation(caller.delegated, record?.delegated)
  return {
    ...caller,
    roles: narrowRoles(caller),
    ...(delegated === undefined ? {} : { delegated }),
    ...(record?.timeZone === undefined ? {} : { timeZone: record.timeZone }),
    ...(record?.locale === undefined ? {} : { locale: record.locale }),
  }
}

/** The caller with the permissions that the principal has today, limited by the credential. */
export function callerOfRecord(
  { tenant, principal, actor, session, scopes }: CredentialHolder,
  record: PrincipalRecord,
): Caller {
  return narrowCaller(
    {
      tenant,
      principal,
      actor,
      roles: record.roles,
      // The schema leaves conditions open: core checks them and refuses malformed ones.
      capabilities: record.capabilities as readonly (string | Grant)[],
      session: session ?? '',
      ...(scopes === undefined ? {} : { scopes }),
    },
    record,
  )
}

/**
 * Stored claims ∩ today's grants: permissions that were granted later do not widen an earlier call.
 */
export function limitToToday(stored: Caller, today: Caller): Caller {
  const delegated = narrowDelegation(stored.delegated, today.delegated)
  return {
    ...stored,
    roles: stored.roles.filter((role) => today.roles.includes(role)),
    capabilities: intersectGrants(stored.capabilities, today.capabilities),
    ...(delegated === undefined ? {} : { delegated }),
  }
}

// A credential that is limited to some capabilities must not administer the tenant because its
// holder may.
function narrowRoles(caller: Caller): readonly string[] {
  if (!isNarrowed(caller)) return caller.roles
  return [...new Set(caller.roles.map((role) => (role === 'admin' ? 'power_user' : role)))]
}

function narrowDelegation(
  some: readonly string[] | undefined,
  others: readonly string[] | undefined,
): readonly string[] | undefined {
  return some === undefined || others === undefined
    ? (some ?? others)
    : intersectGrants(some, others)
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
