import type { Caller } from '../call/caller.ts'
import { isToolError, toToolError } from '../call/tool-error.ts'
import type { Tool } from '../define/tool.ts'
import { holdsPlainly } from '../permissions/grants.ts'
import type { PermissionScheme } from '../permissions/permissions.ts'
import type { AuditStore } from '../ports/audit.ts'
import type { Clock } from '../ports/clock.ts'
import { changeEntry } from './change-entry.ts'
import { compareDefinitions } from './compare-definitions.ts'
import { type Dates, isFromDocument, toDefinition } from './definition.ts'
import { definitionHash } from './describe.ts'
import type {
  DeprecationResult,
  RegistrationResult,
  ToolDefinition,
  UpdateResult,
} from './documents.ts'
import { type DefinitionParts, toolFromDefinition } from './from-definition.ts'
import type { Deprecation, Registry } from './registry.ts'
import { reworded } from './reworded.ts'
import { atLeast, bump, stepBetween } from './versions.ts'

export const MANAGE_CAPABILITY = 'tools.manage'

export type ChangeParts = {
  readonly scheme: PermissionScheme
  readonly registry: Registry
  /** Without them, documents can't become tools here. */
  readonly definitions: DefinitionParts | undefined
  readonly audit: AuditStore
  readonly clock: Clock
  readonly newId: (prefix: string) => string
  readonly dates: Map<Tool, Dates>
}

export type Schedule = {
  readonly message?: string
  readonly redirectFrom?: number
  readonly disableFrom?: number
}

/** Registry management of document 004: validated, versioned, and recorded with who did it. */
export type Changes = {
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
    schedule?: Schedule,
  ) => Promise<DeprecationResult>
}

export function createChanges(parts: ChangeParts): Changes {
  const { registry, clock, dates } = parts

  async function record(by: Caller, tool: Tool, outcome: string): Promise<void> {
    await parts.audit.append(
      changeEntry(by, tool, outcome, { id: parts.newId('aud'), now: clock.now() }),
      'before-answer',
    )
  }

  async function add(by: Caller, tool: Tool, outcome: string): Promise<RegistrationResult> {
    // recorded first: a change that can't be told afterwards is not made
    await record(by, tool, outcome)
    registry.add(tool)
    const [first = tool] = registry.versions(tool.id)
    dates.set(tool, {
      createdAt: dates.get(first)?.createdAt ?? clock.now(),
      updatedAt: clock.now(),
    })
    return {
      success: true,
      tool_id: tool.id,
      version: tool.version,
      definition_hash: definitionHash(tool),
      errors: [],
      warnings: [],
    }
  }

  return {
    async registerTool(by, definition) {
      try {
        refuseStranger(by, parts)
        const tool = toolFromDefinition(definition, definitionParts(parts))
        if (registry.versions(tool.id).length > 0)
          return refused(definition, [`${tool.id} is registered already; update it.`])
        return await add(by, tool, 'registered')
      } catch (thrown) {
        return refused(definition, reasonsOf(thrown))
      }
    },
    async updateTool(by, toolId, updates) {
      const current = registry.find(toolId)
      const nothing: Pick<UpdateResult, 'previous_version' | 'change' | 'differences'> = {
        previous_version: current?.version ?? '',
        change: 'none',
        differences: [],
      }
      if (current === undefined)
        return {
          ...refused({ id: toolId, version: '' }, [`There is no tool called "${toolId}".`]),
          ...nothing,
        }
      try {
        refuseStranger(by, parts)
        return await update(by, current, updates, parts, add)
      } catch (thrown) {
        return {
          ...refused({ id: current.id, version: current.version }, reasonsOf(thrown)),
          ...nothing,
        }
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
        refuseStranger(by, parts)
        if (tool === undefined) throw new TypeError(`There is no tool called "${toolId}".`)
        const deprecation = planned(tool, since, replacement, schedule, registry)
        await record(by, tool, 'deprecated')
        registry.deprecate(deprecation)
        return { success: true, ...result, errors: [] }
      } catch (thrown) {
        return { success: false, ...result, errors: reasonsOf(thrown) }
      }
    },
  }
}

async function update(
  by: Caller,
  current: Tool,
  updates: Partial<ToolDefinition>,
  parts: ChangeParts,
  add: (by: Caller, tool: Tool, outcome: string) => Promise<RegistrationResult>,
): Promise<UpdateResult> {
  if (updates.id !== undefined && updates.id !== current.id)
    throw new TypeError(
      `The id of ${current.id} can't change: register a new tool and deprecate this one.`,
    )
  const before = toDefinition(
    current,
    parts.dates.get(current) ?? { createdAt: parts.clock.now(), updatedAt: parts.clock.now() },
  )
  const merged: ToolDefinition = {
    ...before,
    ...updates,
    updated_at: new Date(parts.clock.now()).toISOString(),
  }
  const { level, differences, breaking } = compareDefinitions(before, merged)
  const outcome = {
    previous_version: current.version,
    change: level,
    differences: [...differences],
  }
  if (level === 'none')
    return {
      ...refused({ id: current.id, version: current.version }, ['Nothing would change.']),
      ...outcome,
    }
  const version = updates.version ?? bump(current.version, level)
  const step = stepBetween(current.version, version)
  if (step === undefined)
    return {
      ...refused({ id: current.id, version }, [
        `${version} does not come after ${current.version}.`,
      ]),
      ...outcome,
    }
  if (!atLeast(step, level)) {
    const needed = bump(current.version, level)
    return {
      ...refused({ id: current.id, version }, [
        `This is a ${level} change and needs at least ${needed}: ${(level === 'major' ? breaking : differences).join('; ')}.`,
      ]),
      ...outcome,
    }
  }
  const tool =
    current.work.kind === 'execute' && current.ports.size === 0 && isFromDocument(current)
      ? toolFromDefinition({ ...merged, version }, definitionParts(parts))
      : reworded(current, { ...updates, version })
  return { ...(await add(by, tool, `updated from ${current.version}`)), ...outcome }
}

function planned(
  tool: Tool,
  since: number,
  replacement: string | undefined,
  schedule: Schedule,
  registry: Registry,
): Deprecation {
  const successor = replacement === undefined ? undefined : registry.find(replacement)
  if (replacement !== undefined && successor === undefined)
    throw new TypeError(`There is no tool called "${replacement}" to replace ${tool.id}.`)
  if (successor?.id === tool.id) throw new TypeError(`${tool.id} can't replace itself.`)
  if (schedule.redirectFrom !== undefined && successor === undefined)
    throw new TypeError(`Calls of ${tool.id} can be redirected only to a replacement.`)
  if (
    schedule.redirectFrom !== undefined &&
    schedule.disableFrom !== undefined &&
    schedule.disableFrom < schedule.redirectFrom
  )
    throw new TypeError('A tool is redirected before it is disabled.')
  const hint = successor === undefined ? '' : ` Use ${successor.id}.`
  return {
    toolId: tool.id,
    since,
    replacement: successor?.id,
    message: schedule.message ?? `${tool.id} is deprecated.${hint}`,
    redirectFrom: schedule.redirectFrom,
    disableFrom: schedule.disableFrom,
  }
}

function definitionParts(parts: ChangeParts): DefinitionParts {
  if (parts.definitions === undefined)
    throw new TypeError(
      'Documents can be registered once createRuntime is given `definitions` (foreign schemas and implementations).',
    )
  return parts.definitions
}

// tools are shared by all tenants: being an administrator of one is not enough
function refuseStranger(by: Caller, parts: ChangeParts): void {
  if (by.actor === 'ai_agent') throw new TypeError('Tools are changed by people, not by agents.')
  if (!by.roles.includes('admin') && !by.roles.includes('developer'))
    throw new TypeError(
      `Tools are changed by an administrator or a developer; ${by.principal} is ${by.roles.join(', ') || 'without a role'}.`,
    )
  if (!holdsPlainly({ name: MANAGE_CAPABILITY }, by, parts.scheme))
    throw new TypeError(
      `Tools are changed by somebody with ${MANAGE_CAPABILITY}, which ${by.principal} does not have.`,
    )
}

function refused(
  definition: Pick<ToolDefinition, 'id' | 'version'>,
  errors: readonly string[],
): RegistrationResult {
  return {
    success: false,
    tool_id: String(definition.id),
    version: String(definition.version),
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
