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
import { z } from 'zod'
import { callTool } from './call-tool.ts'
import { declaresTasks, TASKS_EXTENSION, tasksRequired } from './capabilities.ts'
import { listTools } from './list-tools.ts'
import type { Surface } from './options.ts'
import { type CallContext, readToolsCall, type ToolsCall } from './request.ts'
import { type CallerOf, registerResources } from './resources.ts'
import { cancelTask, getTask, readInputResponses, updateTask } from './task.ts'

export type Era = 'modern' | 'legacy'

const MOST_ROUNDS = 100

/** The SDK's server over the same runtime, for all that has no path of its own. */
export function sdkServer(surface: Surface, era: Era, callerOf: CallerOf): McpServer {
  const capabilities: ServerCapabilities = {
    tools: { listChanged: true },
    resources: { listChanged: true },
    ...(era === 'modern' ? { extensions: { [TASKS_EXTENSION]: {} } } : {}),
    ...(era === 'legacy' ? { logging: {} } : {}),
  }
  const { serverInfo, instructions, listTtlMs: ttlMs } = surface
  const cacheHint = { ttlMs, cacheScope: 'private' } as const
  const server = new McpServer(serverInfo, {
    capabilities,
    ...(instructions === undefined ? {} : { instructions }),
    // a run may ask more often than the SDK expects of a tool; what has no end is ended by the client
    inputRequired: { maxRounds: MOST_ROUNDS },
    cacheHints: {
      'resources/list': cacheHint,
      'resources/templates/list': cacheHint,
      'prompts/list': cacheHint,
    },
  })
  registerTools(server, surface, era, callerOf)
  if (era === 'modern') registerTasks(server, surface, callerOf)
  registerResources(server, surface, callerOf)
  surface.extend(server)
  return server
}

/** What such a server offers. */
export function probeCapabilities(surface: Surface): ServerCapabilities {
  return sdkServer(surface, 'modern', refuseCaller).server.getCapabilities()
}

function registerTools(server: McpServer, surface: Surface, era: Era, callerOf: CallerOf): void {
  server.server.setRequestHandler('tools/list', async ({ params }, context) => {
    const { ttlMs, cacheScope, ...listed } = await listTools(
      params ?? {},
      callerOf(context),
      surface,
    )
    return era === 'modern' ? { ...listed, ttlMs, cacheScope } : listed
  })
  server.server.setRequestHandler('tools/call', async ({ params }, context) => {
    const call = readToolsCall(
      {
        ...params,
        _meta: context.mcpReq._meta,
        inputResponses: context.mcpReq.inputResponses,
        requestState: context.mcpReq.requestState(),
      },
      transportedBy(server, context, callerOf(context)),
    )
    // erased: no task comes out, for none was declared to the call
    return (await callTool(call, surface)) as CallToolResult
  })
}

function transportedBy(server: McpServer, context: ServerContext, caller: Caller): CallContext {
  const { mcpReq } = context
  const envelope = mcpReq.envelope as Readonly<Record<string, unknown>> | undefined
  return {
    caller,
    // the SDK knows no task as the result of a call: such a client waits for the answer
    capabilities: { ...capabilitiesOf(server, context), extensions: {} },
    // a 2025 client sets its level once, and the SDK keeps to it
    logLevel:
      envelope === undefined ? 'debug' : (envelope[LOG_LEVEL_META_KEY] as LoggingLevel | undefined),
    signal: mcpReq.signal,
    notify(method, params) {
      const sent =
        method === 'notifications/message'
          ? mcpReq.log(params.level as LoggingLevel, params.data)
          : mcpReq.notify({ method, params })
      // whoever has left is not told any more
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

function registerTasks(server: McpServer, surface: Surface, callerOf: CallerOf): void {
  const params = z.looseObject({ taskId: z.string() })
  const asker = (context: ServerContext) => {
    const capabilities = capabilitiesOf(server, context)
    if (!declaresTasks(capabilities)) throw tasksRequired()
    return { caller: callerOf(context), capabilities }
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

function refuseCaller(): never {
  throw new TypeError('A probe has no caller.')
}
