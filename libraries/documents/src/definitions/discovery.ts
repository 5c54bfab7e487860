import { ANONYMOUS, type Caller, type Runtime, type Tool } from '@surehand/core'
import { type Dialect, tokenCost } from '@surehand/core/host'
import {
  checkPermissions,
  INHERITS,
  isEnabled,
  KNOWN_CAPABILITIES,
  mayUse,
  type PermissionCheckResult,
  type PermissionScheme,
  type Registry,
  type Role,
} from '@surehand/core/internal'
import { categoryInfo } from './categories.ts'
import { toDefinition } from './to-definition.ts'
import type {
  CapabilityDefinition,
  Category,
  PermissionSchemeDefinition,
  RoleDefinition,
  SearchOptions,
  SessionInfo,
  ToolCategoryInfo,
  ToolDefinition,
  ToolRegistryDocument,
  ToolSearchResult,
  UserContext,
} from './tool-definition.ts'

/** Document 004's discovery API for one caller. Tools that the caller may not use are left out. */
export type Discovery = {
  readonly listTools: (category?: Category, role?: Role) => ToolDefinition[]
  readonly getTool: (toolId: string) => ToolDefinition | null
  readonly searchTools: (query: string, options?: SearchOptions) => ToolSearchResult[]
  readonly getAvailableTools: (
    userRoles: readonly Role[],
    capabilities: readonly string[],
  ) => ToolDefinition[]
  readonly checkPermissions: (toolId: string, userContext: UserContext) => PermissionCheckResult
  readonly categories: () => Record<Category, ToolCategoryInfo>
  readonly permissionScheme: () => PermissionSchemeDefinition
  /** An estimate of what a tool costs in a model's context, in tokens. */
  readonly tokens: (toolId: string, dialect: Dialect) => number | null
}

/** Document 004's discovery API over the tools of a runtime, for one caller. */
export function discoverTools(
  { registry: access, searchTools }: Pick<Runtime, 'registry' | 'searchTools'>,
  caller: Caller,
): Discovery {
  const { scheme, policyOf, clock } = access
  const registry = access.of(caller.tenant)

  function isVisibleTo(tool: Tool, user: Caller): boolean {
    return (
      isEnabled(tool, policyOf(user.tenant)) &&
      mayUse({ tool, caller: user, startedAt: clock.now() }, scheme)
    )
  }

  function visibleTools(): readonly Tool[] {
    return registry.list().filter((tool) => isVisibleTo(tool, caller))
  }

  function publish(tool: Tool): ToolDefinition {
    return toDefinition(tool, registry.registeredAt(tool), registry.deprecation(tool.id))
  }

  function findVisible(toolId: string): Tool | undefined {
    const tool = registry.find(toolId)
    return tool !== undefined && isVisibleTo(tool, caller) ? tool : undefined
  }

  return {
    listTools: (category, role) =>
      visibleTools()
        .filter(
          (tool) =>
            (category === undefined || tool.category === category) &&
            (role === undefined || isForRole(tool, role)),
        )
        .map(publish),
    getTool(toolId) {
      const tool = findVisible(toolId)
      return tool === undefined ? null : publish(tool)
    },
    searchTools: (query, options = {}) =>
      searchTools(caller, query, (tool) => matchesOptions(tool, options, registry)).map(
        ({ tool, score, matched }) => ({ tool: publish(tool), score, matched }),
      ),
    getAvailableTools: (userRoles, capabilities) =>
      registry
        .list()
        .filter((tool) => isVisibleTo(tool, { ...caller, roles: userRoles, capabilities }))
        .map(publish),
    checkPermissions(toolId, userContext) {
      const tool = registry.find(toolId)
      const user = callerFrom(userContext, caller)
      if (tool === undefined) return unknownTool(toolId)
      if (!isEnabled(tool, policyOf(user.tenant))) return disabledTool(tool)
      return checkPermissions(
        { tool, caller: user, startedAt: clock.now(), input: undefined },
        scheme,
      )
    },
    categories: () => categoryInfo(visibleTools()),
    permissionScheme: () => permissionSchemeDocument(scheme),
    tokens(toolId, dialect) {
      const tool = findVisible(toolId)
      return tool === undefined ? null : tokenCost(tool, dialect)
    },
  }
}

/** Whether a tool is for this role, or for one that it includes. */
export function isForRole(tool: Tool, role: Role): boolean {
  const { roles } = tool.contract
  return roles.length === 0 || [role, ...INHERITS[role]].some((held) => roles.includes(held))
}

function matchesOptions(tool: Tool, options: SearchOptions, registry: Registry): boolean {
  if (options.include_deprecated !== true && registry.deprecation(tool.id) !== undefined)
    return false
  // a category outside the document's list is in no filter
  const categories: readonly string[] | undefined = options.category_filter
  if (categories !== undefined && !categories.includes(tool.category)) return false
  if (
    options.security_level !== undefined &&
    tool.contract.securityLevel !== options.security_level
  )
    return false
  return (
    options.permission_filter === undefined ||
    options.permission_filter.some((name) => tool.contract.capabilityNames.includes(name))
  )
}

function callerFrom(context: UserContext, caller: Caller): Caller {
  // Without a session the question is what these roles and capabilities are enough for, so a
  // person who has them is assumed to be signed in.
  const session: SessionInfo = context.session_info ?? {
    session_id: caller.session ?? 'assumed',
    principal: caller.principal,
  }
  return {
    tenant: caller.tenant,
    principal:
      session.principal ??
      (session.session_id === undefined ? ANONYMOUS.principal : caller.principal),
    actor: session.actor ?? 'user',
    roles: context.roles,
    capabilities: context.capabilities,
    ...(session.session_id === undefined ? {} : { session: session.session_id }),
    ...(session.time_zone === undefined ? {} : { timeZone: session.time_zone }),
  }
}

function unknownTool(toolId: string): PermissionCheckResult {
  const missing = {
    kind: 'policy',
    name: toolId,
    needed: 'a tool of this name',
    explanation: `There is no tool called "${toolId}".`,
    granted_by: 'registering it',
  } as const
  return { allowed: false, tool_id: toolId, missing: [missing], conditions: [] }
}

function disabledTool(tool: Tool): PermissionCheckResult {
  const missing = {
    kind: 'policy',
    name: tool.id,
    needed: 'enabled for this tenant',
    explanation: `${tool.id} is switched off for this tenant.`,
    granted_by: "the tenant's policy",
  } as const
  return { allowed: false, tool_id: tool.id, missing: [missing], conditions: [] }
}

const FORMAT_VERSION = '2.0.0'

/** Everything that a runtime publishes to all tenants, as document 004's registry. */
export function registryDocument({
  registry: { shared, scheme },
}: Pick<Runtime, 'registry'>): ToolRegistryDocument {
  const tools = shared.list()
  return {
    version: FORMAT_VERSION,
    last_updated: new Date(shared.changedAt()).toISOString(),
    tools: Object.fromEntries(
      tools.map((tool) => [
        tool.id,
        toDefinition(tool, shared.registeredAt(tool), shared.deprecation(tool.id)),
      ]),
    ),
    categories: categoryInfo(tools),
    permissions: permissionSchemeDocument(scheme),
  }
}

const VERSION = '2.0.0'

const DESCRIPTIONS: Readonly<Record<Role, string>> = {
  user: 'Regular user',
  power_user: 'Advanced user',
  admin: 'System administrator',
  developer: 'Tool developer',
  ai_agent: 'AI agent execution',
}

const ROLES: readonly Role[] = ['user', 'power_user', 'admin', 'developer', 'ai_agent']

/**
 * The scheme as document 004 publishes it: its five roles, every capability that is known or
 * granted, and who is given what.
 */
export function permissionSchemeDocument(scheme: PermissionScheme): PermissionSchemeDefinition {
  const granted = ROLES.flatMap((role) => namesGiven(role, scheme))
  const names = new Set([
    ...KNOWN_CAPABILITIES.keys(),
    ...granted.filter((name) => !name.endsWith('*')),
  ])
  return {
    version: VERSION,
    roles: byRole(
      (name): RoleDefinition => ({
        name,
        description: DESCRIPTIONS[name],
        inherits: INHERITS[name].slice(0, 1),
      }),
    ),
    capabilities: Object.fromEntries([...names].map((name) => [name, capabilityNamed(name)])),
    default_grants: byRole((role) => namesGiven(role, scheme)),
  }
}

function namesGiven(role: Role, scheme: PermissionScheme): string[] {
  return [...new Set((scheme.grants.get(role) ?? []).map(({ name }) => name))]
}

// a pack's own capability says by its last word what it does
function capabilityNamed(name: string): CapabilityDefinition {
  const known = KNOWN_CAPABILITIES.get(name)
  return known === undefined
    ? { name, resource: 'any', mode: name.split('.').at(-1) ?? name, scope: 'all' }
    : { name, ...known }
}

function byRole<V>(value: (role: Role) => V): Record<Role, V> {
  return {
    user: value('user'),
    power_user: value('power_user'),
    admin: value('admin'),
    developer: value('developer'),
    ai_agent: value('ai_agent'),
  }
}
