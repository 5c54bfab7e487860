import type { Caller } from '@surehand/core'
import type { Grant } from '@surehand/core/internal'
import type { PrincipalRecord, TokenRecord } from './records.ts'

/** A person or agent, and the credential they presented. */
export type CredentialHolder = {
  readonly tenant: string
  readonly principal: string
  readonly session: string
  readonly token?:
    | { readonly actor: TokenRecord['actor']; readonly scopes?: readonly string[] }
    | undefined
}

/** The caller with the permissions that the principal has today, limited by the credential. */
export function toCaller(
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
