import { ANONYMOUS, type Caller } from '../call/caller.ts'
import type { ToolErrorCode } from '../call/errors.ts'
import type { Tool } from '../define/tool.ts'

/** Who is what, and what each role is given. */
export type PermissionScheme = {
  /** A role and those it includes, itself first. */
  readonly included: ReadonlyMap<string, readonly string[]>
  readonly grants: ReadonlyMap<string, ReadonlySet<string>>
}

export type MissingRights = {
  readonly code: ToolErrorCode
  readonly message: string
  readonly details: Readonly<Record<string, unknown>>
  readonly suggestions: readonly string[]
}

const INHERITS: Readonly<Record<string, readonly string[]>> = {
  user: [],
  power_user: ['user'],
  admin: ['power_user', 'user'],
  developer: ['user'],
  ai_agent: [],
}

const GRANTS: Readonly<Record<string, readonly string[]>> = {
  user: ['habit.read', 'habit.write', 'task.read', 'task.write', 'project.read'],
  power_user: ['project.write', 'ai.explain', 'habit.delete'],
  admin: ['data.analyze', 'system.config.read', 'system.config.write'],
  developer: ['system.config.read', 'system.config.write'],
}

/** The scheme of document 004, with what the packs add. */
export function permissionScheme(packGrants: Iterable<ReadonlyMap<string, readonly string[]>>): PermissionScheme {
  const grants = new Map<string, Set<string>>(Object.entries(GRANTS).map(([role, names]) => [role, new Set(names)]))
  for (const added of packGrants) {
    for (const [role, names] of added) grants.set(role, new Set([...(grants.get(role) ?? []), ...names]))
  }
  const included = new Map(Object.entries(INHERITS).map(([role, below]) => [role, [role, ...below]]))
  return { included, grants }
}

/** What stands between this caller and this tool, or nothing. */
export function missingRights(tool: Tool, caller: Caller, scheme: PermissionScheme): MissingRights | undefined {
  const { contract } = tool
  if (contract.auth !== 'none') {
    const refused = missingLogin(tool, caller)
    if (refused !== undefined) return refused
  }
  if (contract.roles.length > 0 && !contract.roles.some((role) => hasRole(caller, role, scheme))) {
    return {
      code: 'TOOL_ROLE_NOT_AUTHORIZED',
      message: `${tool.id} is for ${contract.roles.join(', ')}; ${caller.principal} is ${caller.roles.join(', ') || 'without a role'}.`,
      details: { required_roles: contract.roles, roles: caller.roles },
      suggestions: [`Ask an administrator for one of the roles ${contract.roles.join(', ')}.`],
    }
  }
  const missing = contract.capabilities
    .filter((capability) => !hasCapability(caller, capability.name, scheme))
    .map((capability) => capability.name)
  if (missing.length === 0) return undefined
  return {
    code: 'TOOL_CAPABILITY_MISSING',
    message: `${tool.id} needs ${missing.join(', ')}, which ${caller.actor === 'ai_agent' ? `was not handed to the agent of ${caller.principal}` : `${caller.principal} does not have`}.`,
    details: { missing_capabilities: missing },
    suggestions: [
      caller.actor === 'ai_agent'
        ? `Let ${caller.principal} delegate ${missing.join(', ')} to the agent.`
        : `Ask an administrator to grant ${missing.join(', ')}.`,
    ],
  }
}

function missingLogin(tool: Tool, caller: Caller): MissingRights | undefined {
  const { auth } = tool.contract
  if (caller.principal !== ANONYMOUS && (auth === 'service' || caller.session !== undefined)) return undefined
  return {
    code: 'TOOL_INSUFFICIENT_PERMISSIONS',
    message: auth === 'session' ? `${tool.id} needs a signed-in session.` : `${tool.id} is not for anonymous callers.`,
    details: { required_auth: auth },
    suggestions: [auth === 'session' ? 'Sign in, and call with the session.' : 'Call with a token.'],
  }
}

function hasRole(caller: Caller, role: string, scheme: PermissionScheme): boolean {
  return caller.roles.some((own) => own === role || (scheme.included.get(own)?.includes(role) ?? false))
}

function hasCapability(caller: Caller, name: string, scheme: PermissionScheme): boolean {
  if (caller.actor === 'ai_agent' && !isDelegated(caller, name)) return false
  if (caller.capabilities.some((held) => covers(typeof held === 'string' ? held : held.name, name))) return true
  return caller.roles.some((role) =>
    (scheme.included.get(role) ?? [role]).some((included) => scheme.grants.get(included)?.has(name) ?? false),
  )
}

// an agent gets everything its principal has, but what destroys or reshapes
function isDelegated(caller: Caller, name: string): boolean {
  if (caller.delegated !== undefined) return caller.delegated.some((delegated) => covers(delegated, name))
  return !name.endsWith('.delete') && name !== 'project.write'
}

function covers(held: string, name: string): boolean {
  return held === name || held === '*' || (held.endsWith('.*') && name.startsWith(held.slice(0, -1)))
}
