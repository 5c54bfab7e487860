import {
  type CallToolResult,
  type ClientCapabilities,
  type McpServer,
  type Tool as McpTool,
  ProtocolError,
  ProtocolErrorCode,
  RELATED_TASK_META_KEY,
  type ServerContext,
} from '@modelcontextprotocol/server'
import type { Caller, Outcome, Tool } from '@surehand/core'
import { awaitAnswer, errorRow, modelText } from '@surehand/core/host'
import { z } from 'zod'
import type { Surface } from './options.ts'
import { envelopeOf, reply } from './reply.ts'
import { invalid, type ToolsCall, toCallRequest } from './request.ts'
import { cancelTask, createHeader, type DetailedTask, getTask, readTaskId } from './task.ts'

/** What the server says about tasks to a client of 2025-11-25. */
export const LEGACY_TASKS = { cancel: {}, requests: { tools: { call: {} } } }

/** A task in the form of 2025-11-25. */
type LegacyTask = {
  readonly taskId: string
  readonly status: 'working' | 'completed' | 'failed' | 'cancelled'
  readonly statusMessage?: string
  readonly createdAt: string
  readonly lastUpdatedAt: string
  readonly ttl: number
  readonly pollInterval: number
}

/**
 * Whether a client may call the tool as a task. The answers of reads are not stored, and a client
 * that can ask its user is asked within the call.
 */
function mayBeTask({ contract, isDeferred }: Tool, { elicitation }: ClientCapabilities): boolean {
  return isDeferred || (contract.isWrite && elicitation === undefined)
}

/** The listed tools, with the mark of those that may be called as tasks. */
export function markTaskTools(
  tools: readonly McpTool[],
  { tenant }: Caller,
  capabilities: ClientCapabilities,
  { catalogue }: Surface,
): McpTool[] {
  return tools.map((listed) => {
    const tool = catalogue.find(listed.name, tenant)
    return tool !== undefined && mayBeTask(tool, capabilities)
      ? { ...listed, execution: { taskSupport: 'optional' } }
      : listed
  })
}

/** A tools/call with `task`: the result names the task, and the client fetches the answer later. */
export async function callAsTask(call: ToolsCall, surface: Surface): Promise<CallToolResult> {
  const { caller, capabilities } = call
  const tool = surface.catalogue.find(call.name, caller.tenant)
  if (tool !== undefined && !mayBeTask(tool, capabilities))
    throw new ProtocolError(
      ProtocolErrorCode.MethodNotFound,
      `${call.name} cannot be called as a task. Call it without \`task\`.`,
    )
  const outcome = await surface.runtime.call(toCallRequest(call))
  const callId = storedCallId(outcome)
  if (!(await isStored(outcome, call, surface))) return replyWithoutTask(outcome, call, surface)
  const { taskId, createdAt, ttlMs, pollIntervalMs } = createHeader(callId, surface.clock.now(), 0)
  const begun = { createdAt, lastUpdatedAt: createdAt, ttl: ttlMs, pollInterval: pollIntervalMs }
  const task = await readTask(taskId, { caller, meta: {} }, surface).catch(
    // The client asks again, and the store can be reached again then.
    (): LegacyTask => ({ taskId, status: 'working', ...begun }),
  )
  // The SDK's server accepts no result of a tools/call without content.
  return { content: [], task } as CallToolResult
}

/** Whether there is a stored answer that a task leads to. */
async function isStored(
  outcome: Outcome,
  { caller }: ToolsCall,
  { runtime }: Surface,
): Promise<boolean> {
  try {
    return (await runtime.answer(caller, storedCallId(outcome))) !== undefined
  } catch {
    // The store cannot be reached at this moment. What was done, or may have been done, is in it.
    return !isRefusal(outcome)
  }
}

/**
 * A call that was refused before it began is a request that cannot be served. Whatever else was not
 * stored, or is no longer there, is answered as it would be without a task: a client must never
 * take what was done for an invalid request.
 */
function replyWithoutTask(outcome: Outcome, call: ToolsCall, surface: Surface): CallToolResult {
  if (isRefusal(outcome)) throw invalid(modelText(envelopeOf(outcome, surface)))
  return reply(outcome, call, surface)
}

function isRefusal(outcome: Outcome): boolean {
  return outcome.status === 'failed' && errorRow(outcome.error.code).status === 'failed'
}

function storedCallId(outcome: Outcome): string {
  const { callId } = outcome.facts
  if (outcome.status === 'accepted') return outcome.jobId
  return 'originalCallId' in outcome ? (outcome.originalCallId ?? callId) : callId
}

type LegacyViewer = {
  readonly caller: Caller
  readonly meta: Readonly<Record<string, unknown>>
}

async function readTask(
  taskId: string,
  viewer: LegacyViewer,
  surface: Surface,
): Promise<LegacyTask> {
  // Nothing can be asked through a task of this revision, so the client declares nothing here.
  const task = await getTask(taskId, { ...viewer, capabilities: {} }, surface)
  const { createdAt, lastUpdatedAt, ttlMs: ttl, pollIntervalMs: pollInterval } = task
  return { taskId, createdAt, lastUpdatedAt, ttl, pollInterval, ...legacyState(task) }
}

function legacyState(task: DetailedTask): Pick<LegacyTask, 'status' | 'statusMessage'> {
  switch (task.status) {
    case 'completed':
      return task.result.isError === true
        ? { status: 'failed', statusMessage: textOf(task.result) }
        : { status: 'completed' }
    case 'failed':
      return { status: 'failed', statusMessage: task.error.message }
    case 'cancelled':
      return { status: 'cancelled', statusMessage: task.statusMessage }
    case 'working':
      return {
        status: 'working',
        ...(task.statusMessage === undefined ? {} : { statusMessage: task.statusMessage }),
      }
    case 'input_required':
      return { status: 'working' }
  }
}

function textOf({ content }: CallToolResult): string {
  return content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n')
}

/**
 * The result of a task. It is awaited as every answer is, at most 25 seconds; then the client is
 * told that the call still waits.
 */
async function awaitResult(
  taskId: string,
  viewer: LegacyViewer & { readonly signal: AbortSignal },
  surface: Surface,
): Promise<CallToolResult> {
  const { runtime, clock, waitMs, turn } = surface
  const { caller, signal } = viewer
  const outcome = await awaitAnswer(runtime, caller, readTaskId(taskId).callId, {
    clock,
    waitMs,
    signal,
    until: 'end',
    turn: (ended) => turn(caller, ended),
  })
  if (outcome === undefined) throw invalid('There is no such task.')
  const result = reply(outcome, viewer, surface)
  return { ...result, _meta: { ...result._meta, [RELATED_TASK_META_KEY]: { taskId } } }
}

// Made once: making a schema takes longer than opening the rest of a server.
const params = z.looseObject({ taskId: z.string() })

/** The methods with which a client of 2025-11-25 follows its tasks. */
export function registerLegacyTasks(
  server: McpServer,
  surface: Surface,
  callerOf: (context: ServerContext) => Caller,
): void {
  const viewerOf = (context: ServerContext) => ({
    caller: callerOf(context),
    meta: context.mcpReq._meta ?? {},
    signal: context.mcpReq.signal,
  })
  server.server.setRequestHandler('tasks/get', { params }, ({ taskId }, context) =>
    readTask(taskId, viewerOf(context), surface),
  )
  server.server.setRequestHandler('tasks/result', { params }, ({ taskId }, context) =>
    awaitResult(taskId, viewerOf(context), surface),
  )
  server.server.setRequestHandler('tasks/cancel', { params }, async ({ taskId }, context) => {
    const viewer = viewerOf(context)
    const { status } = await readTask(taskId, viewer, surface)
    if (status !== 'working')
      throw invalid(`The task has ended already: it is ${status}. Fetch it with tasks/result.`)
    await cancelTask(taskId, { ...viewer, capabilities: {} }, surface)
    return readTask(taskId, viewer, surface)
  })
}
