import { ANONYMOUS, type Caller } from '../call/caller.ts'
import type { ToolErrorCode } from '../call/errors.ts'
import type { NormalContract } from '../define/normal.ts'
import { verdict } from './attribute-rules.ts'
import { type Asked, attributesOf } from './attributes.ts'
import { isCleared } from './clearance.ts'
import { isMet } from './grants.ts'
import { obstaclesOf } from './obstacles.ts'
import { hasRole, type PermissionScheme } from './permissions.ts'
import { openersOf } from './resources.ts'

export type MissingRights = {
  readonly code: ToolErrorCode
  readonly message: string
  readonly details: Readonly<Record<string, unknown>>
  readonly suggestions: readonly string[]
}

/** What stands between this caller and this tool at this moment, or nothing. */
export function missingRights(asked: Asked, scheme: PermissionScheme): MissingRights | undefined {
  return mayUse(asked, scheme) ? undefined : refusal(asked, scheme)
}

/** The bare answer, on the way of every call: no list is made where all is plain. */
export function mayUse(asked: Asked, scheme: PermissionScheme): boolean {
  const { caller } = asked
  const { contract } = asked.tool
  return (
    isSignedIn(caller, contract.auth) &&
    hasAnyRole(caller, contract.roles, scheme) &&
    hasCapabilities(asked, contract, scheme) &&
    isCleared(caller, contract.securityLevel) &&
    (contract.resources.length === 0 || hasResources(asked, contract, scheme)) &&
    (contract.when === undefined || verdict(contract.when, attributesOf(asked)) !== false)
  )
}

export function isSignedIn(caller: Caller, auth: NormalContract['auth']): boolean {
  if (auth === 'none') return true
  return caller.principal !== ANONYMOUS && (auth === 'service' || caller.session !== undefined)
}

/** Any of the roles is enough; where none is named, everybody is meant. */
export function hasAnyRole(caller: Caller, roles: readonly string[], scheme: PermissionScheme): boolean {
  if (roles.length === 0) return true
  for (const role of roles) if (hasRole(caller.roles, role, scheme)) return true
  return false
}

function hasCapabilities(asked: Asked, contract: NormalContract, scheme: PermissionScheme): boolean {
  for (const need of contract.capabilities) if (!isMet(need, asked, scheme)) return false
  return true
}

function hasResources(asked: Asked, contract: NormalContract, scheme: PermissionScheme): boolean {
  return contract.resources.every((resource) => {
    const openers = openersOf(resource)
    return openers.length === 0 || openers.some((opener) => isMet(opener, asked, scheme))
  })
}

// the first obstacle gives the code; others of the same kind are told with it, so that one round of asking is enough
function refusal(asked: Asked, scheme: PermissionScheme): MissingRights {
  const obstacles = obstaclesOf(asked, scheme)
  const [first] = obstacles
  if (first === undefined) return unexplained(asked)
  const alike = obstacles.filter(({ code }) => code === first.code)
  return {
    code: first.code,
    message: alike.map(({ missing }) => missing.explanation).join(' '),
    details: {
      ...first.details,
      ...(first.code === 'TOOL_CAPABILITY_MISSING' ? { missing_capabilities: [...new Set(alike.map(({ missing }) => missing.name))] } : {}),
    },
    suggestions: [...new Set(alike.map(({ missing }) => missing.granted_by))],
  }
}

// if the two answers ever differ, the no stands
function unexplained({ tool, caller }: Asked): MissingRights {
  return {
    code: 'TOOL_INSUFFICIENT_PERMISSIONS',
    message: `${tool.id} may not be used by ${caller.principal}.`,
    details: { tool: tool.id },
    suggestions: ['Ask an administrator.'],
  }
}
