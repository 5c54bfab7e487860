import type { Caller } from '../call/caller.ts'
import { ToolError } from '../call/tool-error.ts'
import type { Tool } from '../define/tool.ts'
import { permissionSchemeDocument } from '../permissions/permission-scheme.ts'
import type { PipelineContext } from '../pipeline/parts.ts'
import type { TextIndex } from '../ports/text-index.ts'
import { categoryInfo } from './categories.ts'
import type { ChangeParts, Changes } from './change.ts'
import { type Dates, type ExecuteTool, toDefinition } from './definition.ts'
import { type Discovery, discoveryFor } from './discovery.ts'
import type { ToolRegistryDocument } from './documents.ts'
import type { DefinitionParts } from './from-definition.ts'
import { createTenantTools, type TenantTools } from './tenant-tools.ts'
import { createToolSearch } from './tool-search.ts'
import { createVisibleTools, type VisibleTools } from './visible-tools.ts'

/** What a runtime shows of its registry. */
export type RegistryFace = {
  /** To be waited for before a tenant's tools are shown: a policy that this process has not read yet must not be taken for none. */
  readonly ready: (tenant: string) => Promise<void> | undefined
  /** Document 004's discovery, for one caller: what it may not use, it doesn't see. */
  readonly discovery: (caller: Caller) => Discovery
  /** What a caller may use now, judged by its tenant's policy though this process has yet to read it. */
  readonly visibleTools: VisibleTools
  /** Document 003's one list. */
  readonly getToolsForTenant: TenantTools
  /** Registers, updates and deprecates tools. */
  readonly changes: Changes
  /** Everything this runtime publishes, as document 004's registry. */
  readonly registryDocument: () => ToolRegistryDocument
}

export type FaceOptions = {
  /** For `searchTools`; kit has one. */
  readonly textIndex?: TextIndex
  /** For tools that come as documents: who reads their schemas and what their implementations are bound to. */
  readonly definitions?: DefinitionParts
}

const FORMAT_VERSION = '2.0.0'

export function registryFace(
  parts: PipelineContext,
  options: FaceOptions,
  execute: ExecuteTool,
): RegistryFace {
  const { registry, scheme, clock, policyOf } = parts
  const startedAt = clock.now()
  const dates = new Map<Tool, Dates>()
  const datesOf = (tool: Tool): Dates =>
    dates.get(tool) ?? { createdAt: startedAt, updatedAt: startedAt }
  const search = createToolSearch(parts.registryOf, options.textIndex ?? noIndex)
  return {
    ready: (tenant) => parts.administration.ready(tenant),
    discovery: (caller) =>
      discoveryFor(caller, {
        registry: parts.registryOf(caller.tenant),
        search,
        scheme,
        policyOf,
        datesOf,
        now: clock.now,
      }),
    visibleTools: createVisibleTools(parts),
    getToolsForTenant: createTenantTools(parts.registryOf, policyOf, execute),
    changes: changesLater({
      registry,
      scheme,
      definitions: options.definitions,
      audit: parts.stores.audit,
      clock,
      newId: (prefix) => parts.entropy.newId(prefix, clock.now()),
      dates,
    }),
    registryDocument: () => ({
      version: FORMAT_VERSION,
      last_updated: new Date(
        Math.max(startedAt, ...[...dates.values()].map(({ updatedAt }) => updatedAt)),
      ).toISOString(),
      tools: Object.fromEntries(
        registry
          .list()
          .map((tool) => [
            tool.id,
            toDefinition(tool, datesOf(tool), registry.deprecation(tool.id)),
          ]),
      ),
      categories: categoryInfo(registry.list()),
      permissions: permissionSchemeDocument(scheme),
    }),
  }
}

/** Loaded with the first change: what reads and compares definitions is a good part of core, and few ever change one. */
function changesLater(parts: ChangeParts): Changes {
  const changes = async (): Promise<Changes> => (await import('./change.ts')).createChanges(parts)
  return {
    registerTool: async (by, definition) => (await changes()).registerTool(by, definition),
    updateTool: async (by, toolId, updates) => (await changes()).updateTool(by, toolId, updates),
    deprecateTool: async (by, toolId, replacement, schedule) =>
      (await changes()).deprecateTool(by, toolId, replacement, schedule),
  }
}

const noIndex: TextIndex = {
  put: () => undefined,
  remove: () => undefined,
  search: () => {
    throw new ToolError(
      'TOOL_CONFIGURATION_ERROR',
      'Tools can be searched once createRuntime is given a `textIndex`.',
      {
        suggestions: [
          'Hand one in: createRuntime({ textIndex: miniSearchIndex() }), from @surehand/kit.',
        ],
      },
    )
  },
}
