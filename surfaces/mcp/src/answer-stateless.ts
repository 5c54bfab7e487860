import type { ServerResponse } from 'node:http'
import {
  LOG_LEVEL_META_KEY,
  type LoggingLevel,
  ProtocolError,
  ProtocolErrorCode,
  SERVER_INFO_META_KEY,
  type ServerCapabilities,
} from '@modelcontextprotocol/server'
import { type Caller, isToolError } from '@surehand/core'
import type { Pace } from '@surehand/core/host'
import type { Maybe } from '@surehand/core/ports'
import { openAnswer, type RpcError } from './answer-stream.ts'
import { callTool } from './call-tool.ts'
import { declaresTasks, tasksRequired } from './capabilities.ts'
import { type ListingTurns, listTools, takeListingTurns } from './list-tools.ts'
import { listenToTasks, readSubscribedTasks } from './listen-to-tasks.ts'
import type { Surface } from './options.ts'
import { type Notify, readToolsCall } from './request.ts'
import { probeCapabilities } from './sdk-server.ts'
import { REVISION, type StatelessRequest } from './stateless-request.ts'
import { cancelTask, getTask, readInputResponses, updateTask } from './task.ts'

type Discovered = {
  readonly supportedVersions: string[]
  readonly capabilities: ServerCapabilities
  readonly instructions: string
  readonly ttlMs: number
  readonly cacheScope: 'public'
}

const known = new WeakMap<Surface, Discovered>()

/**
 * The protocol versions and capabilities of this server: the same for every client, so they are
 * computed once.
 */
function discover(surface: Surface): Discovered {
  const made = known.get(surface) ?? {
    supportedVersions: [REVISION],
    capabilities: probeCapabilities(surface),
    instructions: surface.instructions,
    ttlMs: surface.listTtlMs,
    cacheScope: 'public' as const,
  }
  known.set(surface, made)
  return made
}

type StatelessExchange = {
  readonly caller: Caller
  readonly signal: AbortSignal
  readonly notify: Notify
  readonly pace?: Pace | undefined
  /** Given where a page of tools is sent in parts after it was made. */
  readonly turns?: ListingTurns | undefined
  /** The surface shuts down: calls may end, subscriptions are closed. */
  readonly closing: AbortSignal
}

/** The result of one request of the stateless revision, over any transport. */
export async function answerStateless(
  request: StatelessRequest,
  exchange: StatelessExchange,
  surface: Surface,
): Promise<object> {
  const result = await dispatch(request, exchange, surface)
  // What follows is written in a turn of its own.
  if (exchange.pace !== undefined) await exchange.pace()
  return withMeta(result, surface)
}

function dispatch(
  request: StatelessRequest,
  exchange: StatelessExchange,
  surface: Surface,
): Maybe<object> {
  const { params, meta, capabilities } = request
  switch (request.method) {
    case 'server/discover':
      return discover(surface)
    case 'tools/list':
      return listPage(params, exchange, surface)
    case 'tools/call': {
      const logLevel = meta[LOG_LEVEL_META_KEY] as LoggingLevel | undefined
      const { caller, signal, notify, pace } = exchange
      return callTool(
        readToolsCall(params, {
          caller,
          signal,
          notify,
          pace,
          capabilities,
          logLevel,
          isLegacy: false,
        }),
        surface,
      )
    }
    case 'subscriptions/listen': {
      if (!declaresTasks(capabilities)) throw tasksRequired()
      const ended = AbortSignal.any([exchange.signal, exchange.closing])
      const { caller, notify } = exchange
      return listenToTasks(
        readSubscribedTasks(params) ?? [],
        { id: request.id, caller, capabilities, meta, notify, ended },
        surface,
      )
    }
    case 'tasks/get':
    case 'tasks/update':
    case 'tasks/cancel':
      return answerTask(request, exchange, surface)
  }
}

function listPage(
  params: StatelessRequest['params'],
  { caller, turns }: StatelessExchange,
  surface: Surface,
): Promise<object> {
  const taken = turns ?? takeListingTurns(caller, surface)
  return listTools(params, { caller, turns: taken }, surface)
}

async function answerTask(
  { method, params, meta, capabilities }: StatelessRequest,
  { caller }: StatelessExchange,
  surface: Surface,
): Promise<object> {
  if (!declaresTasks(capabilities)) throw tasksRequired()
  const viewer = { caller, capabilities, meta }
  const taskId = String(params.taskId)
  if (method === 'tasks/get') return getTask(taskId, viewer, surface)
  if (method === 'tasks/update')
    await updateTask(taskId, readInputResponses(params.inputResponses), viewer, surface)
  else await cancelTask(taskId, viewer, surface)
  return {}
}

/** Every result of this revision names its type and the server. */
function withMeta(result: object, { serverInfo }: Surface): object {
  const { _meta: meta } = result as { readonly _meta?: object }
  return {
    resultType: 'complete',
    ...result,
    _meta: { ...meta, [SERVER_INFO_META_KEY]: serverInfo },
  }
}

export function toRpcError(thrown: unknown): RpcError {
  if (thrown instanceof ProtocolError)
    return {
      code: thrown.code,
      message: thrown.message,
      ...(thrown.data === undefined ? {} : { data: thrown.data }),
    }
  if (isToolError(thrown))
    return {
      code: ProtocolErrorCode.InvalidParams,
      message: thrown.message,
      data: { code: thrown.code },
    }
  // The text of an unexpected exception may contain secrets.
  return {
    code: ProtocolErrorCode.InternalError,
    message: 'Something unexpected failed on the server.',
  }
}

type StatelessContext = {
  readonly caller: Caller
  readonly surface: Surface
  readonly closing: AbortSignal
  /** Set where the message is large. */
  readonly pace: Pace | undefined
}

/**
 * Answers one request of the stateless revision over HTTP. A client cancels it by closing the
 * connection.
 */
export async function serveStateless(
  request: StatelessRequest,
  response: ServerResponse,
  context: StatelessContext,
): Promise<void> {
  const { caller, surface, closing, pace } = context
  const stream = openAnswer(response, request.id)
  const disconnected = new AbortController()
  response.once('close', () => {
    if (!response.writableFinished) disconnected.abort()
  })
  try {
    stream.result(
      await answerStateless(
        request,
        { caller, signal: disconnected.signal, notify: stream.notify, closing, pace },
        surface,
      ),
    )
  } catch (thrown) {
    const error = toRpcError(thrown)
    stream.error(
      error.code === ProtocolErrorCode.MissingRequiredClientCapability ? 400 : 200,
      error,
    )
  }
}
