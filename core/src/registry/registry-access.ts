import type { Caller } from '../call/caller.ts'
import { ToolError } from '../call/tool-error.ts'
import type { Tool } from '../define/tool.ts'
import { mayUse } from '../permissions/may-use.ts'
import type { PermissionScheme } from '../permissions/permission-scheme.ts'
import type { AuditStore } from '../ports/audit.ts'
import type { Clock } from '../ports/clock.ts'
import type { TextIndex } from '../ports/text-index.ts'
import type { RegistryContext } from './context.ts'
import { isEnabled, type TenantPolicy } from './policy.ts'
import type { Registry } from './registry.ts'
import type { RegistryOf } from './tenant-registry.ts'
import { createToolSearch, type FoundTool, type ToolSearch } from './tool-search.ts'
import { createVisibleTools, type VisibleTools } from './visible-tools.ts'

/**
 * What libraries that publish or manage tools work with; `@surehand/documents` is one.
 * An application needs only `tools`, `visibleTools` and `searchTools` of the runtime.
 */
export type RegistryAccess = {
  /** The tools that every tenant shares. */
  readonly shared: Registry
  /** The shared tools and those of one tenant. */
  readonly of: RegistryOf
  readonly search: ToolSearch
  readonly scheme: PermissionScheme
  readonly policyOf: (tenant: string) => TenantPolicy | undefined
  readonly audit: AuditStore
  readonly clock: Clock
  readonly newId: (prefix: string) => string
}

/** The part of a runtime that lists and finds tools. */
export type ToolDirectory = {
  /**
   * Await this before a tenant's tools are shown.
   * Otherwise a policy that this process has not read yet would be taken for no policy.
   */
  readonly ready: (tenant: string) => Promise<void> | undefined
  /** The tools that a caller may use now. Waits for the tenant's policy where it is not loaded. */
  readonly visibleTools: VisibleTools
  /** Finds tools that a caller may use, best first. Needs `textIndex`. */
  readonly searchTools: (
    caller: Caller,
    query: string,
    accepts?: (tool: Tool) => boolean,
  ) => readonly FoundTool[]
  readonly registry: RegistryAccess
}

const MAX_RESULTS = 50

export function toolDirectory(context: RegistryContext, index: TextIndex = noIndex): ToolDirectory {
  const { registry, registryOf, scheme, clock, policyOf } = context
  const search = createToolSearch(registryOf, index)
  return {
    ready: (tenant) => context.administration.ready(tenant),
    visibleTools: createVisibleTools(context),
    searchTools(caller, query, accepts = isCurrent(registryOf(caller.tenant))) {
      const policy = policyOf(caller.tenant)
      const asked = { caller, startedAt: clock.now() }
      const found: FoundTool[] = []
      for (const hit of search.find(query, caller.tenant)) {
        if (found.length === MAX_RESULTS) break
        const { tool } = hit
        if (accepts(tool) && isEnabled(tool, policy) && mayUse({ ...asked, tool }, scheme))
          found.push(hit)
      }
      return found
    },
    registry: {
      shared: registry,
      of: registryOf,
      search,
      scheme,
      policyOf,
      audit: context.stores.audit,
      clock,
      newId: (prefix) => context.entropy.newId(prefix, clock.now()),
    },
  }
}

function isCurrent(registry: Registry): (tool: Tool) => boolean {
  return (tool) => registry.deprecation(tool.id) === undefined
}

const noIndex: TextIndex = {
  put: () => undefined,
  remove: () => undefined,
  search: () => {
    throw new ToolError(
      'TOOL_CONFIGURATION_ERROR',
      'Tools cannot be searched: createRuntime was given no `textIndex`.',
      {
        suggestions: [
          'Pass one: createRuntime({ textIndex: miniSearchIndex() }), from @surehand/discovery.',
        ],
      },
    )
  },
}
