import {
  type CallToolResult,
  CLIENT_CAPABILITIES_META_KEY,
  LOG_LEVEL_META_KEY,
  type LoggingLevel,
  McpServer,
  type ServerCapabilities,
  type ServerContext,
} from '@modelcontextprotocol/server'
import type { Caller } from '@surehand/core'
import type { Pace } from '@surehand/core/host'
import { z } from 'zod'
import { callTool } from './call-tool.ts'
import { declaresTasks, TASKS_EXTENSION, tasksRequired } from './capabilities.ts'
import { callAsTask, LEGACY_TASKS, markTaskTools, registerLegacyTasks } from './legacy-tasks.ts'
import { listTools, takeListingTurns } from './list-tools.ts'
import type { Surface } from './options.ts'
import { type CallContext, readToolsCall, type ToolsCall } from './request.ts'
import { type CallerOf, registerResources } from './resources.ts'
import { cancelTask, getTask, readInputResponses, updateTask } from './task.ts'

export type Era = 'modern' | 'legacy'

const MAX_ROUNDS = 100

/** A server of the SDK over the same runtime, for the methods that are not served without it. */
export function sdkServer(surface: Surface, era: Era, callerOf: CallerOf): McpServer {
  const capabilities: ServerCapabilities = {
    tools: { listChanged: true },
    resources: { listChanged: true },
    ...(era === 'modern' ? { extensions: { [TASKS_EXTENSION]: {} } } : {}),
    ...(era === 'legacy' ? { logging: {}, tasks: LEGACY_TASKS } : {}),
  }
  const { serverInfo, instructions, listTtlMs: ttlMs } = surface
  const cacheHint = { ttlMs, cacheScope: 'private' } as const
  const server = new McpServer(serverInfo, {
    capabilities,
    instructions,
    // A run may ask more often than the SDK's default allows; the client can cancel a call that
    // does not end.
    inputRequired: { maxRounds: MAX_ROUNDS },
    cacheHints: {
      'resources/list': cacheHint,
      'resources/templates/list': cacheHint,
      'prompts/list': cacheHint,
    },
  })
  registerTools(server, surface, era, callerOf)
  if (era === 'modern') registerTasks(server, surface, callerOf)
  else registerLegacyTasks(server, surface, callerOf)
  registerResources(server, surface, callerOf)
  surface.extend(server)
  return server
}

/** The capabilities of such a server. */
export function probeCapabilities(surface: Surface): ServerCapabilities {
  return sdkServer(surface, 'modern', probeCaller).server.getCapabilities()
}

function registerTools(server: McpServer, surface: Surface, era: Era, callerOf: CallerOf): void {
  server.server.setRequestHandler('tools/list', async ({ params }, context) => {
    const caller = callerOf(context)
    const { ttlMs, cacheScope, ...listed } = await listTools(
      params ?? {},
      { caller, turns: takeListingTurns(caller, surface) },
      surface,
    )
    if (era === 'modern') return { ...listed, ttlMs, cacheScope }
    const capabilities = capabilitiesOf(server, context)
    return { ...listed, tools: markTaskTools(listed.tools, caller, capabilities, surface) }
  })
  server.server.setRequestHandler('tools/call', async ({ params }, context) => {
    const call = readToolsCall(
      {
        ...params,
        _meta: context.mcpReq._meta,
        inputResponses: context.mcpReq.inputResponses,
        requestState: context.mcpReq.requestState(),
      },
      { ...createCallContext(server, context, callerOf(context)), isLegacy: era === 'legacy' },
    )
    if (era === 'legacy' && params.task !== undefined) return callAsTask(call, surface)
    const result = await callTool(call, surface)
    await call.pace?.()
    // The cast is safe: the call declares no tasks, so the result is none.
    return result as CallToolResult
  })
}

function createCallContext(
  server: McpServer,
  context: ServerContext,
  caller: Caller,
): Omit<CallContext, 'isLegacy'> {
  const { mcpReq } = context
  const envelope = mcpReq.envelope as Readonly<Record<string, unknown>> | undefined
  return {
    caller,
    // The SDK does not support tasks as the result of a call, so these clients wait for the answer.
    capabilities: { ...capabilitiesOf(server, context), extensions: {} },
    // A 2025 client sets its log level once, and the SDK applies it.
    logLevel:
      envelope === undefined ? 'debug' : (envelope[LOG_LEVEL_META_KEY] as LoggingLevel | undefined),
    signal: mcpReq.signal,
    // The cast is safe: the handler sets it on every message before the SDK gets it.
    pace: context.http?.authInfo?.extra?.pace as Pace | undefined,
    notify(method, params) {
      const sent =
        method === 'notifications/message'
          ? mcpReq.log(params.level as LoggingLevel, params.data)
          : mcpReq.notify({ method, params })
      // The client may have disconnected.
      sent.catch(() => undefined)
    },
  }
}

function capabilitiesOf(server: McpServer, { mcpReq }: ServerContext): ToolsCall['capabilities'] {
  const envelope = mcpReq.envelope as Readonly<Record<string, unknown>> | undefined
  return (envelope?.[CLIENT_CAPABILITIES_META_KEY] ??
    server.server.getClientCapabilities() ??
    {}) as ToolsCall['capabilities']
}

// Made once: making a schema takes longer than opening the rest of a server.
const params = z.looseObject({ taskId: z.string() })

function registerTasks(server: McpServer, surface: Surface, callerOf: CallerOf): void {
  const asker = (context: ServerContext) => {
    const capabilities = capabilitiesOf(server, context)
    if (!declaresTasks(capabilities)) throw tasksRequired()
    return { caller: callerOf(context), capabilities, meta: context.mcpReq._meta ?? {} }
  }
  server.server.setRequestHandler('tasks/get', { params }, async ({ taskId }, context) => ({
    ...(await getTask(taskId, asker(context), surface)),
  }))
  server.server.setRequestHandler(
    'tasks/update',
    { params },
    async ({ taskId, inputResponses }, context) => {
      await updateTask(
        taskId,
        readInputResponses(inputResponses ?? context.mcpReq.inputResponses),
        asker(context),
        surface,
      )
      return {}
    },
  )
  server.server.setRequestHandler('tasks/cancel', { params }, async ({ taskId }, context) => {
    await cancelTask(taskId, asker(context), surface)
    return {}
  })
}

function probeCaller(): never {
  throw new TypeError('A probe has no caller.')
}
