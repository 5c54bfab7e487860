import { ANONYMOUS, type Caller } from '../call/caller.ts'
import type { NormalContract } from '../define/normal.ts'

/** How confidential a tool is. */
export type SecurityLevel = NormalContract['securityLevel']

const HEIGHT: Readonly<Record<SecurityLevel, number>> = {
  public: 0,
  internal: 1,
  confidential: 2,
  restricted: 3,
}

/** Roles that are cleared for a level; whoever is known by name is cleared for `internal`. */
export const CLEARED_ROLES: Readonly<Record<'confidential' | 'restricted', readonly string[]>> = {
  confidential: ['user', 'power_user', 'ai_agent', 'admin', 'developer'],
  restricted: ['admin', 'developer'],
}

/** How secret a tool may be that this caller uses. What is restricted is for persons: an agent goes no higher than `confidential`. */
export function clearanceOf(caller: Caller): SecurityLevel {
  if (caller.principal === ANONYMOUS.principal) return 'public'
  const isOneOf = (level: 'confidential' | 'restricted') =>
    caller.roles.some((role) => CLEARED_ROLES[level].includes(role))
  if (caller.actor !== 'ai_agent' && isOneOf('restricted')) return 'restricted'
  return isOneOf('confidential') ? 'confidential' : 'internal'
}

/** Is the caller cleared for a tool of this level? */
export function isCleared(caller: Caller, level: SecurityLevel): boolean {
  if (level === 'public') return true
  if (level === 'internal') return caller.principal !== ANONYMOUS.principal
  return HEIGHT[clearanceOf(caller)] >= HEIGHT[level]
}
