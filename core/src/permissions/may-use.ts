import { ANONYMOUS, type Caller } from '../call/caller.ts'
import type { ResourceNeed } from '../define/contract.ts'
import type { NormalContract } from '../define/normal.ts'
import { type AccessQuery, attributesOf, judgeRule } from './attribute-rules.ts'
import { capabilitiesFor, isMet } from './grants.ts'
import { hasRole, isCleared, type PermissionScheme } from './permission-scheme.ts'

/**
 * May this caller use this tool, now? The bare answer, on the way of every call: where all is plain
 * nothing is made.
 */
export function mayUse(query: AccessQuery, scheme: PermissionScheme): boolean {
  const { caller } = query
  const { contract } = query.tool
  return (
    isSignedIn(caller, contract.auth) &&
    hasAnyRole(caller, contract.roles, scheme) &&
    hasCapabilities(query, contract, scheme) &&
    isCleared(caller, contract.securityLevel) &&
    (contract.resources.length === 0 ||
      contract.resources.every((resource) => hasResource(resource, query, scheme))) &&
    (contract.when === undefined || judgeRule(contract.when, attributesOf(query)) !== false)
  )
}

export function isSignedIn(caller: Caller, auth: NormalContract['auth']): boolean {
  if (auth === 'none') return true
  return (
    caller.principal !== ANONYMOUS.principal && (auth === 'service' || caller.session !== undefined)
  )
}

/** Any of the roles is enough; where none is named, everybody is meant. */
export function hasAnyRole(
  caller: Caller,
  roles: readonly string[],
  scheme: PermissionScheme,
): boolean {
  if (roles.length === 0) return true
  for (const role of roles) if (hasRole(caller.roles, role, scheme)) return true
  return false
}

function hasCapabilities(
  query: AccessQuery,
  contract: NormalContract,
  scheme: PermissionScheme,
): boolean {
  for (const need of contract.capabilities) if (!isMet(need, query, scheme)) return false
  return true
}

/**
 * Any capability that opens the resource is enough; where the table knows none, nothing is query.
 */
export function hasResource(
  resource: ResourceNeed,
  query: AccessQuery,
  scheme: PermissionScheme,
): boolean {
  const openers = capabilitiesFor(resource)
  return openers.length === 0 || openers.some((opener) => isMet(opener, query, scheme))
}
