import {
  type Caller,
  type Outcome,
  type Runtime,
  type Tool,
  ToolError,
  toEnvelope,
} from '@surehand/core'
import { callForModel, modelInputSchema } from '@surehand/core/host'
import type { JsonSchema } from '@surehand/core/internal'
import { systemClock } from '@surehand/core/ports'

/** A tool as the document's agent engine registers it. */
export type AgentTool = {
  readonly name: string
  readonly description: string
  readonly parameters: JsonSchema
  readonly execute: (params: unknown) => Promise<unknown>
}

// The document's names, in its order.
const NAMES = [
  'calendar_read',
  'calendar_write',
  'places_resolve',
  'time_zone_resolve',
  'directions_estimate',
  'url_expand',
  'media_flash_image_edit',
  'media_imagen3_generate_poster',
  'media_veo_create_day_preview',
  'tasks_write',
] as const

// A job may also wait in its queue.
const QUEUE_MS = 30_000

/**
 * The document's tools for an agent engine, for one caller. Each call goes through the runtime as
 * on every other surface; a failure, or a call that waits for a person, is thrown as a `ToolError`.
 *
 * @example
 * const tools = adkTools(runtime, caller)
 * await tools.find(({ name }) => name === 'calendar_read')?.execute({ calendarId: 'primary', timeMin, timeMax })
 */
export function adkTools(runtime: Runtime, caller: Caller): AgentTool[] {
  const known = new Map(
    runtime
      .tools(caller.tenant)
      .flatMap((tool) => tool.aliases.map((alias) => [alias, tool] as const)),
  )
  return NAMES.flatMap((name) => {
    const tool = known.get(name)
    return tool === undefined ? [] : [agentTool(name, tool, { runtime, caller })]
  })
}

function agentTool(
  name: string,
  tool: Tool,
  { runtime, caller }: { readonly runtime: Runtime; readonly caller: Caller },
): AgentTool {
  return {
    name,
    description: tool.description,
    parameters: modelInputSchema(tool),
    execute: async (params) => {
      const request = { tool: tool.id, input: params, caller, surface: 'adk' }
      const waitMs = tool.isDeferred ? tool.contract.timeoutMs + QUEUE_MS : 0
      return readOutcome(await callForModel(runtime, request, { waitMs, clock: systemClock() }))
    },
  }
}

function readOutcome(outcome: Outcome): unknown {
  const { error, metadata } = toEnvelope(outcome)
  if (outcome.status === 'failed') throw outcome.error
  if (outcome.status === 'done')
    return outcome.degraded ? withWarnings(outcome.data, outcome.warnings) : outcome.data
  // A call that waits for a person has had no effect yet.
  if (error !== undefined)
    throw new ToolError(
      outcome.status === 'pending' ? 'TOOL_APPROVAL_REQUIRED' : 'TOOL_INPUT_REQUIRED',
      error.message,
      {
        details: { call_id: metadata.call_id },
      },
    )
  throw new ToolError(
    'TOOL_ALREADY_RUNNING',
    `The call is still running, as the job ${metadata.job?.id ?? metadata.call_id}.`,
    {
      details: { call_id: metadata.call_id },
    },
  )
}

// An empty answer because of a failure must not look like "no events".
function withWarnings(data: unknown, warnings: readonly string[]): unknown {
  if (typeof data !== 'object' || data === null || Array.isArray(data)) return data
  return { ...data, degraded: true, warnings }
}
