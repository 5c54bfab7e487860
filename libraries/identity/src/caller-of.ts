import type { Caller } from '@surehand/core'
import type { Grant } from '@surehand/core/internal'
import type { PrincipalRecord, TokenRecord } from './records.ts'

/** Whose word it is, and by which credential. */
export type Holder = {
  readonly tenant: string
  readonly principal: string
  readonly session: string
  readonly token?:
    | { readonly actor: TokenRecord['actor']; readonly scopes?: readonly string[] }
    | undefined
}

/** What somebody written down may do today, through the credential they hold. */
export function callerOf(
  { tenant, principal, session, token }: Holder,
  record: PrincipalRecord,
): Caller {
  return {
    tenant,
    principal,
    actor: token?.actor ?? 'user',
    roles: rolesWithin(record.roles, token?.scopes),
    // erased: conditions are judged, and refused if malformed, by core
    capabilities: record.capabilities as readonly (string | Grant)[],
    session,
    ...(token?.scopes === undefined ? {} : { scopes: token.scopes }),
    ...(record.delegated === undefined ? {} : { delegated: record.delegated }),
    ...(record.timeZone === undefined ? {} : { timeZone: record.timeZone }),
    ...(record.locale === undefined ? {} : { locale: record.locale }),
  }
}

// a token for a few capabilities must not administer the house because its holder may
function rolesWithin(
  roles: readonly string[],
  scopes: readonly string[] | undefined,
): readonly string[] {
  if (scopes === undefined || scopes.includes('*')) return roles
  return [...new Set(roles.map((role) => (role === 'admin' ? 'power_user' : role)))]
}
