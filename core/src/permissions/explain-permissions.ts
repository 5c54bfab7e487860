import type { Condition } from '../call/caller.ts'
import type { ToolErrorCode } from '../call/errors.ts'
import type { ResourceNeed } from '../define/contract.ts'
import { conditionalGrants, hasAnyRole, hasResource, isSignedIn, mayUse } from './access.ts'
import { type AccessQuery, attributesOf } from './attribute-rules.ts'
import {
  explainGap,
  explainRule,
  findGaps,
  grantedBy,
  type MissingPermission,
  type Obstacle,
} from './explain-gaps.ts'
import { capabilitiesFor } from './grants.ts'
import {
  CLEARED_ROLES,
  clearanceOf,
  isCleared,
  type PermissionScheme,
} from './permission-scheme.ts'

export type MissingRights = {
  readonly code: ToolErrorCode
  readonly message: string
  readonly details: Readonly<Record<string, unknown>>
  readonly suggestions: readonly string[]
}

/** What stands between this caller and this tool at this moment, or nothing. */
export function missingRights(
  query: AccessQuery,
  scheme: PermissionScheme,
): MissingRights | undefined {
  return mayUse(query, scheme) ? undefined : explainRefusal(query, scheme)
}

/**
 * Why a caller that `mayUse` refuses cannot use the tool. The first obstacle gives the code; others
 * of that code are listed with it, so that one request to an administrator is enough.
 */
export function explainRefusal(query: AccessQuery, scheme: PermissionScheme): MissingRights {
  const obstacles = findObstacles(query, scheme)
  const [first] = obstacles
  if (first === undefined) return unexplainedRefusal(query)
  const alike = obstacles.filter(({ code }) => code === first.code)
  const names = [...new Set(alike.map(({ missing }) => missing.name))]
  return {
    code: first.code,
    message: alike.map(({ missing }) => missing.explanation).join(' '),
    details:
      first.code === 'TOOL_CAPABILITY_MISSING'
        ? { missing_capabilities: names, ...first.details }
        : first.details,
    suggestions: [...new Set(alike.map(({ missing }) => missing.granted_by))],
  }
}

// should deciding and explaining ever disagree, the call is still refused
function unexplainedRefusal({ tool, caller }: AccessQuery): MissingRights {
  return {
    code: 'TOOL_INSUFFICIENT_PERMISSIONS',
    message: `${tool.id} may not be used by ${caller.principal}.`,
    details: { tool: tool.id },
    suggestions: ['Ask an administrator.'],
  }
}

/** What stands between a caller and a tool, and what would remove each obstacle. */
export type PermissionCheckResult = {
  allowed: boolean
  tool_id: string
  missing: MissingPermission[]
  /**
   * Conditions that the call itself still has to meet: limits it counts against, approvals it
   * needs.
   */
  conditions: CapabilityCondition[]
}

/** A condition, as permission checks and published definitions spell it. */
export type CapabilityCondition = {
  type: Condition['type']
  parameters: Record<string, unknown>
}

/**
 * Everything that is missing, and what would grant it; with it the conditions that a call would
 * still meet. Without an input, a rule over the input is left to the call.
 */
export function checkPermissions(
  query: AccessQuery,
  scheme: PermissionScheme,
): PermissionCheckResult {
  const missing = findObstacles(query, scheme).map((obstacle) => obstacle.missing)
  return {
    allowed: missing.length === 0,
    tool_id: query.tool.id,
    missing,
    conditions: conditionsToMeet(query, scheme),
  }
}

function conditionsToMeet(query: AccessQuery, scheme: PermissionScheme): CapabilityCondition[] {
  const own = query.tool.contract.capabilities.flatMap(({ conditions }) => conditions ?? [])
  const held = new Set(conditionalGrants(query, scheme).map(({ grant }) => grant))
  return [...own, ...[...held].flatMap(({ conditions }) => conditions ?? [])]
    .filter(isToMeet)
    .map(publishCondition)
}

// an hour is open or it is missing; the others are met by the call
function isToMeet({ type }: Condition): boolean {
  return type !== 'time_restriction'
}

function publishCondition({ type, parameters }: Condition): CapabilityCondition {
  return { type, parameters: { ...parameters } }
}

/** Everything that stands between a caller and a tool, in the order in which it is refused. */
export function findObstacles(query: AccessQuery, scheme: PermissionScheme): readonly Obstacle[] {
  const { contract } = query.tool
  return [
    ...loginObstacles(query),
    ...roleObstacles(query, scheme),
    ...contract.capabilities.flatMap((need) =>
      findGaps(need, query, scheme).map((gap) => explainGap(gap, need, query, scheme)),
    ),
    ...clearanceObstacles(query),
    ...contract.resources
      .filter((need) => !hasResource(need, query, scheme))
      .map((need) => resourceObstacle(need, query, scheme)),
    ...ruleObstacles(query),
  ]
}

function loginObstacles({ tool, caller }: AccessQuery): readonly Obstacle[] {
  const { auth } = tool.contract
  if (isSignedIn(caller, auth)) return []
  const isSession = auth === 'session'
  return [
    {
      code: 'TOOL_INSUFFICIENT_PERMISSIONS',
      details: { required_auth: auth },
      missing: {
        kind: 'authentication',
        name: auth,
        needed: isSession ? 'a signed-in session' : 'a caller with a name',
        explanation: isSession
          ? `${tool.id} needs a signed-in session.`
          : `${tool.id} is not for anonymous callers.`,
        granted_by: isSession ? 'Sign in, and call with the session.' : 'Call with a token.',
      },
    },
  ]
}

function roleObstacles(
  { tool, caller }: AccessQuery,
  scheme: PermissionScheme,
): readonly Obstacle[] {
  const { roles } = tool.contract
  if (hasAnyRole(caller, roles, scheme)) return []
  return [
    {
      code: 'TOOL_ROLE_NOT_AUTHORIZED',
      details: { required_roles: roles, roles: caller.roles },
      missing: {
        kind: 'role',
        name: roles.join(', '),
        needed: `any of ${roles.join(', ')}`,
        explanation: `${tool.id} is for ${roles.join(', ')}; ${caller.principal} is ${caller.roles.join(', ') || 'without a role'}.`,
        granted_by: `Ask an administrator for one of the roles ${roles.join(', ')}.`,
      },
    },
  ]
}

function clearanceObstacles({ tool, caller }: AccessQuery): readonly Obstacle[] {
  const { securityLevel } = tool.contract
  if (isCleared(caller, securityLevel)) return []
  const own = clearanceOf(caller)
  return [
    {
      code: 'TOOL_INSUFFICIENT_PERMISSIONS',
      details: { security_level: securityLevel, clearance: own },
      missing: {
        kind: 'security_level',
        name: securityLevel,
        needed: `clearance for ${securityLevel}`,
        explanation: `${tool.id} is ${securityLevel}; ${describeCaller(caller)} is cleared for ${own}.`,
        granted_by: waysToClearance(securityLevel),
      },
    },
  ]
}

function describeCaller({ actor, principal }: AccessQuery['caller']): string {
  return actor === 'ai_agent' ? `the agent of ${principal}` : principal
}

function waysToClearance(level: AccessQuery['tool']['contract']['securityLevel']): string {
  switch (level) {
    case 'public':
    case 'internal':
      return 'Sign in: anybody known by name is cleared for it.'
    case 'confidential':
      return `Ask an administrator for one of the roles ${CLEARED_ROLES.confidential.join(', ')}.`
    case 'restricted':
      return `Only a person can call it, with one of the roles ${CLEARED_ROLES.restricted.join(', ')}.`
  }
}

function resourceObstacle(
  need: ResourceNeed,
  query: AccessQuery,
  scheme: PermissionScheme,
): Obstacle {
  const { tool, caller } = query
  const needed = `${need.mode}${need.scope === undefined ? '' : `, scope ${need.scope}`}`
  const openers = capabilitiesFor(need)
  return {
    code: 'TOOL_RESOURCE_ACCESS_DENIED',
    details: {
      resource_type: need.type,
      access_mode: need.mode,
      ...(need.scope === undefined ? {} : { scope_filter: need.scope }),
      capabilities: openers.map(({ name }) => name),
    },
    missing: {
      kind: 'resource',
      name: need.type,
      needed,
      explanation: `${tool.id} touches ${need.type} (${needed}), for which ${describeCaller(caller)} has no right at this moment.`,
      granted_by: openers.map((opener) => waysToGrant(opener, query, scheme)).join(' Or: '),
    },
  }
}

function waysToGrant(
  opener: { readonly name: string },
  query: AccessQuery,
  scheme: PermissionScheme,
): string {
  const ways = findGaps(opener, query, scheme).map(
    (gap) => explainGap(gap, opener, query, scheme).missing.granted_by,
  )
  return ways.length === 0 ? grantedBy(opener, scheme) : ways.join(' ')
}

function ruleObstacles(query: AccessQuery): readonly Obstacle[] {
  const { tool } = query
  const { when } = tool.contract
  const why = when === undefined ? undefined : explainRule(when, attributesOf(query))
  if (why === undefined) return []
  return [
    {
      code: 'TOOL_INSUFFICIENT_PERMISSIONS',
      details: { rule: why },
      missing: {
        kind: 'attribute',
        name: why.split(' ')[0] ?? why,
        needed: why,
        explanation: `${tool.id} is not open to this call: ${why}.`,
        granted_by: `A call for which it holds: ${why}.`,
      },
    },
  ]
}
