import { type Caller, isToolError, type Runtime, type Tool } from '@surehand/core'
import { type Deprecation, definitionHash } from '@surehand/core/host'
import {
  auditEntryBy,
  holdsUnconditionally,
  isDelegated,
  type Registry,
  type RegistryAccess,
  toToolError,
} from '@surehand/core/internal'
import { compareDefinitions } from './compare-definitions.ts'
import { type DefinitionParts, toolFromDefinition } from './from-definition.ts'
import { type RegistryChange, requireDefinitions, rewordTool } from './registry-change.ts'
import { isFromDefinition, toDefinition } from './to-definition.ts'
import type {
  DeprecationResult,
  RegistrationResult,
  ToolDefinition,
  UpdateResult,
} from './tool-definition.ts'
import { atLeast, bump, stepBetween } from './version-step.ts'

const MANAGE_CAPABILITY = 'tools.manage'

/** When a deprecated tool is redirected and disabled, and the message for its callers. */
export type DeprecationSchedule = {
  readonly message?: string
  readonly redirectFrom?: number
  readonly disableFrom?: number
}

/**
 * Document 004's registry management: every change is validated, versioned and recorded in the
 * audit.
 */
export type ToolManagement = {
  readonly registerTool: (by: Caller, definition: ToolDefinition) => Promise<RegistrationResult>
  readonly updateTool: (
    by: Caller,
    toolId: string,
    updates: Partial<ToolDefinition>,
  ) => Promise<UpdateResult>
  readonly deprecateTool: (
    by: Caller,
    toolId: string,
    replacement?: string,
    schedule?: DeprecationSchedule,
  ) => Promise<DeprecationResult>
}

type ManagementParts = {
  readonly access: RegistryAccess
  /** Without them, definitions cannot become tools here. */
  readonly definitions: DefinitionParts | undefined
  readonly persist: PersistChange | undefined
}

/** Stores a change before it is made; if that fails, it is not made. */
export type PersistChange = (by: Caller, change: RegistryChange) => Promise<void>

/**
 * Document 004's registry management over the tools of a runtime. `definitions` says how schemas
 * are compiled and which implementations exist; without it, tools can be reworded and deprecated,
 * not registered. `persist` stores each change, for `restoreTool` after a restart.
 */
export function manageTools(
  { registry: access }: Pick<Runtime, 'registry'>,
  definitions?: DefinitionParts,
  persist?: PersistChange,
): ToolManagement {
  const { shared: registry, clock } = access
  const parts = { access, definitions, persist }
  return {
    async registerTool(by, definition) {
      try {
        requireManager(by, access)
        const tool = toolFromDefinition(definition, requireDefinitions(definitions))
        if (registry.versions(tool.id).length > 0)
          return rejectedResult(definition, [`${tool.id} is registered already; update it.`])
        return await addTool(
          by,
          tool,
          { outcome: 'registered', change: { kind: 'definition', definition } },
          parts,
        )
      } catch (thrown) {
        return rejectedResult(definition, reasonsOf(thrown))
      }
    },
    async updateTool(by, toolId, updates) {
      const current = registry.find(toolId)
      const unchanged: Pick<UpdateResult, 'previous_version' | 'change' | 'differences'> = {
        previous_version: current?.version ?? '',
        change: 'none',
        differences: [],
      }
      if (current === undefined)
        return {
          ...rejectedResult({ id: toolId, version: '' }, [`There is no tool called "${toolId}".`]),
          ...unchanged,
        }
      try {
        requireManager(by, access)
        return await updateTool(by, current, updates, parts)
      } catch (thrown) {
        return { ...rejectedResult(current, reasonsOf(thrown)), ...unchanged }
      }
    },
    async deprecateTool(by, toolId, replacement, schedule = {}) {
      const tool = registry.find(toolId)
      const since = clock.now()
      const result = {
        tool_id: tool?.id ?? toolId,
        deprecated_at: new Date(since).toISOString(),
        ...(replacement === undefined ? {} : { replacement_tool: replacement }),
      }
      try {
        requireManager(by, access)
        if (tool === undefined) throw new TypeError(`There is no tool called "${toolId}".`)
        const deprecation = planDeprecation(tool, { since, replacement, ...schedule }, registry)
        await recordChange(by, tool, 'deprecated', access)
        await persist?.(by, { kind: 'deprecation', deprecation })
        registry.deprecate(deprecation)
        return { success: true, ...result, errors: [] }
      } catch (thrown) {
        return { success: false, ...result, errors: reasonsOf(thrown) }
      }
    },
  }
}

async function addTool(
  by: Caller,
  tool: Tool,
  { outcome, change }: { readonly outcome: string; readonly change: RegistryChange },
  { access, persist }: ManagementParts,
): Promise<RegistrationResult> {
  // the record comes first: a change that could not be audited must not be made
  await recordChange(by, tool, outcome, access)
  await persist?.(by, change)
  access.shared.add(tool)
  return {
    success: true,
    tool_id: tool.id,
    version: tool.version,
    definition_hash: definitionHash(tool),
    errors: [],
    warnings: [],
  }
}

async function recordChange(
  by: Caller,
  tool: Tool,
  outcome: string,
  { audit, clock, newId }: RegistryAccess,
): Promise<void> {
  const id = newId('aud')
  const entry = auditEntryBy(
    by,
    { id, now: clock.now() },
    {
      phase: 'change',
      call_id: id,
      surface: 'registry',
      tool_name: tool.id,
      tool_version: tool.version,
      definition_hash: definitionHash(tool),
      success: true,
      outcome,
    },
  )
  await audit.append(entry, 'before-answer')
}

async function updateTool(
  by: Caller,
  current: Tool,
  updates: Partial<ToolDefinition>,
  parts: ManagementParts,
): Promise<UpdateResult> {
  const { access } = parts
  if (updates.id !== undefined && updates.id !== current.id)
    throw new TypeError(
      `The id of ${current.id} cannot change: register a new tool and deprecate this one.`,
    )
  const before = toDefinition(current, access.shared.registeredAt(current))
  const merged: ToolDefinition = {
    ...before,
    ...updates,
    updated_at: new Date(access.clock.now()).toISOString(),
  }
  const { level, differences, breaking } = compareDefinitions(before, merged)
  const outcome = {
    previous_version: current.version,
    change: level,
    differences: [...differences],
  }
  const reject = (version: string, reason: string): UpdateResult => ({
    ...rejectedResult({ id: current.id, version }, [reason]),
    ...outcome,
  })
  if (level === 'none') return reject(current.version, 'Nothing would change.')
  const version = updates.version ?? bump(current.version, level)
  const step = stepBetween(current.version, version)
  if (step === undefined)
    return reject(version, `${version} does not come after ${current.version}.`)
  if (!atLeast(step, level)) {
    const needed = bump(current.version, level)
    const changes = (level === 'major' ? breaking : differences).join('; ')
    return reject(version, `This is a ${level} change and needs at least ${needed}: ${changes}.`)
  }
  const change: RegistryChange =
    current.work.kind === 'execute' && current.ports.size === 0 && isFromDefinition(current)
      ? { kind: 'definition', definition: { ...merged, version } }
      : {
          kind: 'words',
          toolId: current.id,
          from: current.version,
          updates: { ...updates, version },
        }
  const tool =
    change.kind === 'definition'
      ? toolFromDefinition(change.definition, requireDefinitions(parts.definitions))
      : rewordTool(current, change.updates)
  const added = { outcome: `updated from ${current.version}`, change }
  return { ...(await addTool(by, tool, added, parts)), ...outcome }
}

function planDeprecation(
  tool: Tool,
  form: DeprecationSchedule & { readonly since: number; readonly replacement: string | undefined },
  registry: Registry,
): Deprecation {
  const { since, replacement, redirectFrom, disableFrom } = form
  const successor = replacement === undefined ? undefined : registry.find(replacement)
  if (replacement !== undefined && successor === undefined)
    throw new TypeError(`There is no tool called "${replacement}" to replace ${tool.id}.`)
  if (successor?.id === tool.id) throw new TypeError(`${tool.id} cannot replace itself.`)
  if (redirectFrom !== undefined && successor === undefined)
    throw new TypeError(`Calls of ${tool.id} can be redirected only to a replacement.`)
  if (redirectFrom !== undefined && disableFrom !== undefined && disableFrom < redirectFrom)
    throw new TypeError('A tool is redirected before it is disabled.')
  const hint = successor === undefined ? '' : ` Use ${successor.id}.`
  return {
    toolId: tool.id,
    since,
    replacement: successor?.id,
    message: form.message ?? `${tool.id} is deprecated.${hint}`,
    redirectFrom,
    disableFrom,
  }
}

// the tools are shared by all tenants: being an administrator of one tenant is not enough
function requireManager(by: Caller, { scheme }: RegistryAccess): void {
  if (by.actor === 'ai_agent') throw new TypeError('Tools are changed by people, not by agents.')
  if (!by.roles.includes('admin') && !by.roles.includes('developer'))
    throw new TypeError(
      `Only an administrator or a developer may change tools; ${by.principal} has ${by.roles.length === 0 ? 'no role' : `the roles ${by.roles.join(', ')}`}.`,
    )
  if (
    !isDelegated(by, MANAGE_CAPABILITY) ||
    !holdsUnconditionally({ name: MANAGE_CAPABILITY }, by, scheme)
  )
    throw new TypeError(
      `Changing tools needs the capability ${MANAGE_CAPABILITY}, which ${by.principal} does not have.`,
    )
}

function rejectedResult(
  { id, version }: Pick<ToolDefinition, 'id' | 'version'>,
  errors: readonly string[],
): RegistrationResult {
  return {
    success: false,
    tool_id: String(id),
    version: String(version),
    definition_hash: '',
    errors: [...errors],
    warnings: [],
  }
}

function reasonsOf(thrown: unknown): string[] {
  if (!isToolError(thrown))
    return [thrown instanceof TypeError ? thrown.message : toToolError(thrown).message]
  const problems = thrown.details?.validation_errors
  if (!Array.isArray(problems)) return [thrown.message]
  return problems.map(
    (problem: { readonly field: string; readonly error: string }) =>
      `${problem.field}: ${problem.error}`,
  )
}
