import type { ResourceNeed } from '../define/contract.ts'
import type { Asked } from './attributes.ts'
import { attributesOf } from './attributes.ts'
import { CLEARED_ROLES, clearanceOf, isCleared } from './clearance.ts'
import { explainRule } from './explain-rule.ts'
import { gapObstacle, grantedBy, type Obstacle } from './gap-words.ts'
import { gapsOf } from './gaps.ts'
import { hasAnyRole, hasResource, isSignedIn } from './may-use.ts'
import type { PermissionScheme } from './permissions.ts'
import { openersOf } from './resources.ts'

/** Everything that stands between a caller and a tool, in the order in which it is refused. */
export function obstaclesOf(asked: Asked, scheme: PermissionScheme): readonly Obstacle[] {
  const { contract } = asked.tool
  return [
    ...login(asked),
    ...role(asked, scheme),
    ...contract.capabilities.flatMap((need) =>
      gapsOf(need, asked, scheme).map((gap) => gapObstacle(gap, need, asked, scheme)),
    ),
    ...clearance(asked),
    ...contract.resources
      .filter((need) => !hasResource(need, asked, scheme))
      .map((need) => resource(need, asked, scheme)),
    ...rule(asked),
  ]
}

function login({ tool, caller }: Asked): readonly Obstacle[] {
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

function role({ tool, caller }: Asked, scheme: PermissionScheme): readonly Obstacle[] {
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

function clearance({ tool, caller }: Asked): readonly Obstacle[] {
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
        explanation: `${tool.id} is ${securityLevel}; ${whoIs(caller)} is cleared for ${own}.`,
        granted_by: clearedBy(securityLevel),
      },
    },
  ]
}

function whoIs({ actor, principal }: Asked['caller']): string {
  return actor === 'ai_agent' ? `the agent of ${principal}` : principal
}

function clearedBy(level: Asked['tool']['contract']['securityLevel']): string {
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

function resource(need: ResourceNeed, asked: Asked, scheme: PermissionScheme): Obstacle {
  const { tool, caller } = asked
  const needed = `${need.mode}${need.scope === undefined ? '' : `, scope ${need.scope}`}`
  const openers = openersOf(need)
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
      explanation: `${tool.id} touches ${need.type} (${needed}), for which ${whoIs(caller)} has no right at this moment.`,
      granted_by: openers.map((opener) => waysTo(opener, asked, scheme)).join(' Or: '),
    },
  }
}

function waysTo(opener: { readonly name: string }, asked: Asked, scheme: PermissionScheme): string {
  const ways = gapsOf(opener, asked, scheme).map(
    (gap) => gapObstacle(gap, opener, asked, scheme).missing.granted_by,
  )
  return ways.length === 0 ? grantedBy(opener, scheme) : ways.join(' ')
}

function rule(asked: Asked): readonly Obstacle[] {
  const { tool } = asked
  const { when } = tool.contract
  const why = when === undefined ? undefined : explainRule(when, attributesOf(asked))
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
