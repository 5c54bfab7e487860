import { ANONYMOUS, type Caller } from '../call/caller.ts'
import type { ResourceNeed } from '../define/contract.ts'
import type { NormalContract } from '../define/normal.ts'
import { verdict } from './attribute-rules.ts'
import { type Asked, attributesOf } from './attributes.ts'
import { isCleared } from './clearance.ts'
import { isMet } from './grants.ts'
import { hasRole, type PermissionScheme } from './permissions.ts'
import { openersOf } from './resources.ts'

/** May this caller use this tool, now? The bare answer, on the way of every call: where all is plain nothing is made. */
export function mayUse(asked: Asked, scheme: PermissionScheme): boolean {
  const { caller } = asked
  const { contract } = asked.tool
  return (
    isSignedIn(caller, contract.auth) &&
    hasAnyRole(caller, contract.roles, scheme) &&
    hasCapabilities(asked, contract, scheme) &&
    isCleared(caller, contract.securityLevel) &&
    (contract.resources.length === 0 ||
      contract.resources.every((resource) => hasResource(resource, asked, scheme))) &&
    (contract.when === undefined || verdict(contract.when, attributesOf(asked)) !== false)
  )
}

export function isSignedIn(caller: Caller, auth: NormalContract['auth']): boolean {
  if (auth === 'none') return true
  return caller.principal !== ANONYMOUS.principal && (auth === 'service' || caller.session !== undefined)
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
  asked: Asked,
  contract: NormalContract,
  scheme: PermissionScheme,
): boolean {
  for (const need of contract.capabilities) if (!isMet(need, asked, scheme)) return false
  return true
}

/** Any capability that opens the resource is enough; where the table knows none, nothing is asked. */
export function hasResource(
  resource: ResourceNeed,
  asked: Asked,
  scheme: PermissionScheme,
): boolean {
  const openers = openersOf(resource)
  return openers.length === 0 || openers.some((opener) => isMet(opener, asked, scheme))
}
