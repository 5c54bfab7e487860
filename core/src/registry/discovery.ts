import { ANONYMOUS, type Caller } from '../call/caller.ts'
import type { Category, Tool } from '../define/tool.ts'
import { checkPermissions } from '../permissions/explain-permissions.ts'
import { mayUse } from '../permissions/may-use.ts'
import { permissionSchemeDocument } from '../permissions/permission-scheme.ts'
import type { PermissionScheme } from '../permissions/permissions.ts'
import { categoryInfo } from './categories.ts'
import { type Dates, toDefinition } from './definition.ts'
import type {
  PermissionCheckResult,
  PermissionSchemeDefinition,
  Role,
  SearchOptions,
  ToolCategoryInfo,
  ToolDefinition,
  ToolSearchResult,
  UserContext,
} from './documents.ts'
import { isEnabled, type TenantPolicy } from './policy.ts'
import type { Registry } from './registry.ts'
import { type Dialect, tokenCost } from './tokens.ts'
import type { ToolSearch } from './tool-search.ts'

export type DiscoveryParts = {
  readonly registry: Registry
  readonly search: ToolSearch
  readonly scheme: PermissionScheme
  readonly policyOf: (tenant: string) => TenantPolicy | undefined
  readonly datesOf: (tool: Tool) => Dates
  readonly now: () => number
}

const MOST_RESULTS = 50

/** Document 004's discovery API, for one caller: what it may not use, it doesn't see. */
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
  /** About what a tool costs in a model's context. */
  readonly tokens: (toolId: string, dialect: Dialect) => number | null
}

export function discoveryFor(caller: Caller, parts: DiscoveryParts): Discovery {
  const { registry, scheme } = parts

  function isOpenTo(tool: Tool, user: Caller): boolean {
    return (
      isEnabled(tool, parts.policyOf(user.tenant)) &&
      mayUse({ tool, caller: user, startedAt: parts.now() }, scheme)
    )
  }

  function visible(): readonly Tool[] {
    return registry.list().filter((tool) => isOpenTo(tool, caller))
  }

  function documentOf(tool: Tool): ToolDefinition {
    return toDefinition(tool, parts.datesOf(tool), registry.deprecation(tool.id))
  }

  function seen(toolId: string): Tool | undefined {
    const tool = registry.find(toolId)
    return tool !== undefined && isOpenTo(tool, caller) ? tool : undefined
  }

  return {
    listTools: (category, role) =>
      visible()
        .filter(
          (tool) =>
            (category === undefined || tool.category === category) &&
            (role === undefined || isFor(tool, role)),
        )
        .map(documentOf),
    getTool(toolId) {
      const tool = seen(toolId)
      return tool === undefined ? null : documentOf(tool)
    },
    searchTools(query, options = {}) {
      const results: ToolSearchResult[] = []
      for (const { tool, score, matched } of parts.search.find(query, caller.tenant)) {
        if (results.length === MOST_RESULTS) break
        if (passes(tool, options, registry) && isOpenTo(tool, caller))
          results.push({ tool: documentOf(tool), score, matched })
      }
      return results
    },
    getAvailableTools: (userRoles, capabilities) =>
      registry
        .list()
        .filter((tool) => isOpenTo(tool, { ...caller, roles: userRoles, capabilities }))
        .map(documentOf),
    checkPermissions(toolId, userContext) {
      const tool = registry.find(toolId)
      const user = callerFrom(userContext, caller)
      if (tool === undefined) return unknownTool(toolId)
      if (!isEnabled(tool, parts.policyOf(user.tenant))) return switchedOff(tool)
      return checkPermissions(
        { tool, caller: user, startedAt: parts.now(), input: undefined },
        scheme,
      )
    },
    categories: () => categoryInfo(visible()),
    permissionScheme: () => permissionSchemeDocument(scheme),
    tokens(toolId, dialect) {
      const tool = seen(toolId)
      return tool === undefined ? null : tokenCost(tool, dialect)
    },
  }
}

function isFor(tool: Tool, role: Role): boolean {
  return tool.contract.roles.length === 0 || tool.contract.roles.includes(role)
}

function passes(tool: Tool, options: SearchOptions, registry: Registry): boolean {
  if (options.include_deprecated !== true && registry.deprecation(tool.id) !== undefined)
    return false
  if (options.category_filter !== undefined && !options.category_filter.includes(tool.category))
    return false
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
  const session = context.session_info ?? {}
  return {
    tenant: caller.tenant,
    principal:
      session.principal ?? (session.session_id === undefined ? ANONYMOUS : caller.principal),
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

function switchedOff(tool: Tool): PermissionCheckResult {
  const missing = {
    kind: 'policy',
    name: tool.id,
    needed: 'enabled for this tenant',
    explanation: `${tool.id} is switched off for this tenant.`,
    granted_by: "the tenant's policy",
  } as const
  return { allowed: false, tool_id: tool.id, missing: [missing], conditions: [] }
}
