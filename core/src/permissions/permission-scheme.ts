import { ANONYMOUS, type Caller, type Grant } from '../call/caller.ts'
import type { NormalContract } from '../define/normal.ts'

/** The roles that exist without any pack. */
export type Role = 'user' | 'power_user' | 'admin' | 'developer' | 'ai_agent'

/** Which roles include which, and what each role is granted. */
export type PermissionScheme = {
  /** A role and those it includes, itself first. */
  readonly included: ReadonlyMap<string, readonly string[]>
  /** What a role is given itself, as it was written. */
  readonly grants: ReadonlyMap<string, readonly Grant[]>
  /** What a role holds with those it includes, ready to be looked up. */
  readonly held: ReadonlyMap<string, RoleGrants>
  /** Does any role hold something under conditions? */
  readonly hasConditions: boolean
}

export type RoleGrants = {
  readonly byName: ReadonlyMap<string, readonly Grant[]>
  /** Those that stand for several capabilities. */
  readonly patterns: readonly Grant[]
}

/** The five roles and those they include. An unknown role is allowed and includes itself alone. */
export const INHERITS: Readonly<Record<Role, readonly Role[]>> = {
  user: [],
  power_user: ['user'],
  admin: ['power_user', 'user'],
  developer: ['user'],
  ai_agent: [],
}

const GRANTS: Readonly<Record<Role, readonly (string | Grant)[]>> = {
  user: [
    'habit.read',
    'habit.write',
    'task.read',
    'task.write',
    'project.read',
    { name: 'data.export', scope: 'self' },
    { name: 'data.delete_all', scope: 'self' },
  ],
  power_user: ['project.write', 'ai.explain', 'habit.delete'],
  admin: ['data.analyze', 'system.config.read', 'system.config.write'],
  developer: ['system.config.read', 'system.config.write'],
  ai_agent: [],
}

/** The scheme of document 004, with what the packs add. */
export function permissionScheme(
  packGrants: Iterable<ReadonlyMap<string, readonly (string | Grant)[]>>,
): PermissionScheme {
  const grants = new Map<string, readonly Grant[]>()
  for (const added of [new Map(Object.entries(GRANTS)), ...packGrants]) {
    for (const [role, given] of added)
      grants.set(role, [...(grants.get(role) ?? []), ...given.map(asGrant)])
  }
  const included = new Map<string, readonly string[]>(
    [...grants.keys()].map((role) => [role, [role]]),
  )
  for (const [role, below] of Object.entries(INHERITS)) included.set(role, [role, ...below])
  const held = new Map(
    [...included].map(([role, roles]) => [
      role,
      roleGrants(roles.flatMap((one) => grants.get(one) ?? [])),
    ]),
  )
  return {
    included,
    grants,
    held,
    hasConditions: [...grants.values()].flat().some(({ conditions }) => conditions !== undefined),
  }
}

function asGrant(given: string | Grant): Grant {
  return typeof given === 'string' ? { name: given } : given
}

function roleGrants(grants: readonly Grant[]): RoleGrants {
  const named = grants.filter((grant) => !grant.name.endsWith('*'))
  return {
    byName: Map.groupBy(named, (grant) => grant.name),
    patterns: grants.filter((grant) => grant.name.endsWith('*')),
  }
}

/**
 * Does this grant, or what it stands for, include the capability? Only a whole part can be a `*`.
 */
export function coversName(held: string, name: string): boolean {
  if (held === name || held === '*') return true
  return held.endsWith('.*') && name.length >= held.length && name.startsWith(held.slice(0, -1))
}

/** Is the role among those the caller has or includes? */
export function hasRole(
  roles: readonly string[],
  wanted: string,
  scheme: PermissionScheme,
): boolean {
  for (const role of roles) {
    if (role === wanted || scheme.included.get(role)?.includes(wanted) === true) return true
  }
  return false
}

/** How confidential a tool is. */
export type SecurityLevel = NormalContract['securityLevel']

const HEIGHT: Readonly<Record<SecurityLevel, number>> = {
  public: 0,
  internal: 1,
  confidential: 2,
  restricted: 3,
}

/** Roles that are cleared for a level; every caller with a name is cleared for `internal`. */
export const CLEARED_ROLES: Readonly<Record<'confidential' | 'restricted', readonly string[]>> = {
  confidential: ['user', 'power_user', 'ai_agent', 'admin', 'developer'],
  restricted: ['admin', 'developer'],
}

/**
 * The highest security level of a tool that this caller may use. An agent gets no higher than
 * `confidential`: `restricted` is for people.
 */
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
