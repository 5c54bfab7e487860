import type { IncomingMessage, ServerResponse } from 'node:http'
import { toNodeHandler } from '@modelcontextprotocol/node'
import {
  classifyInboundRequest,
  createMcpHandler,
  isJsonContentType,
  type ServerContext,
} from '@modelcontextprotocol/server'
import { type Caller, isToolError, type Runtime, type ToolError } from '@surehand/core'
import type { Maybe } from '@surehand/core/ports'
import { createStrangers, FEW_GUESSES, type StraightWay, type Strangers } from '@surehand/edge'
import { openAnswer } from './answer-stream.ts'
import { comerOf } from './comer-of.ts'
import { bearerOf, guardRequest, type Refusal } from './guard-request.ts'
import { headersAgree, readHot } from './hot-request.ts'
import {
  challenge,
  type McpHttpOptions,
  METADATA_PATH,
  metadataUrl,
  resourceMetadata,
} from './http-options.ts'
import { largestMessageBytes, type McpOptions, type Surface, surfaceOf } from './options.ts'
import { paramMismatch } from './param-headers.ts'
import { parseMessage } from './parse-message.ts'
import { readBody } from './read-body.ts'
import { sdkServer } from './sdk-server.ts'
import { serveHot } from './serve-hot.ts'
import { type Authenticated, createSessions, type Sessions } from './sessions.ts'
import { straightMessages } from './straight-messages.ts'

export type McpHandlerOptions = {
  readonly runtime: Runtime
  /** Whose token this is; undefined when it is nobody's, or no more. */
  readonly authenticate: (token: string) => Maybe<Caller | undefined>
  /** Shared with other doors of the house, so that guesses at each of them add up; without it this door counts its own. */
  readonly strangers?: Strangers
  readonly options: McpOptions & McpHttpOptions
}

export type McpHandler = ((request: IncomingMessage, response: ServerResponse) => void) & {
  /** Plain requests without Node's server in between, where whoever listens can take them so. */
  readonly straight: StraightWay
  /** Tells whoever subscribed that the list is another one now. */
  readonly toolsChanged: () => void
  readonly promptsChanged: () => void
  readonly close: () => Promise<void>
}

export type Door = {
  readonly surface: Surface
  readonly authenticate: McpHandlerOptions['authenticate']
  readonly strangers: Strangers
  readonly options: McpHttpOptions
  readonly maxBodyBytes: () => number
  readonly bodyTimeoutMs: number
  readonly sessions: Sessions
  readonly closing: AbortSignal
  readonly throughSdk: (
    request: Authenticated,
    response: ServerResponse,
    body: unknown,
  ) => Promise<void>
}

const PARSE_ERROR = -32_700
const REFUSED = -32_000
const HEADER_MISMATCH = -32_020
const TOO_LATE = 408
const TOO_MANY = 429
// whoever has some in front brings the house's own count
const NO_PROXIES = 0
const BODY_TIMEOUT_MS = 10_000
const MAX_SESSIONS = 1_000

/** MCP over Streamable HTTP for both eras, on one path. */
export function mcpHandler({
  runtime,
  authenticate,
  strangers,
  options,
}: McpHandlerOptions): McpHandler {
  const surface = surfaceOf(runtime, options)
  const modern = createMcpHandler(() => sdkServer(surface, 'modern', callerIn), {
    legacy: 'reject',
  })
  const sessions = createSessions(
    () => sdkServer(surface, 'legacy', callerIn),
    options.maxSessions ?? MAX_SESSIONS,
  )
  const closing = new AbortController()
  const door: Door = {
    surface,
    authenticate,
    strangers: strangers ?? createStrangers(FEW_GUESSES, NO_PROXIES, surface.clock),
    options,
    maxBodyBytes: () => options.maxBodyBytes ?? largestMessageBytes(surface),
    bodyTimeoutMs: options.bodyTimeoutMs ?? BODY_TIMEOUT_MS,
    sessions,
    closing: closing.signal,
    throughSdk: toNodeHandler(modern) as Door['throughSdk'],
  }
  const handle = (request: IncomingMessage, response: ServerResponse): void => {
    serve(request, response, door).catch(() => refuse(response, 500, 'Something unexpected broke.'))
  }
  return Object.assign(handle, {
    straight: straightMessages(door),
    toolsChanged() {
      modern.notify.toolsChanged()
      modern.notify.resourcesChanged()
      sessions.toolsChanged()
    },
    promptsChanged: () => modern.notify.promptsChanged(),
    close: async () => {
      closing.abort()
      await Promise.all([modern.close(), sessions.close()])
    },
  })
}

async function serve(
  request: IncomingMessage,
  response: ServerResponse,
  door: Door,
): Promise<void> {
  const { options } = door
  const refusal = guardRequest(request, options)
  if (refusal !== undefined) return refuse(response, refusal.status, refusal.message)
  if (request.url?.startsWith(METADATA_PATH)) return sendMetadata(request, response, options)
  const token = bearerOf(request)
  const caller = await met(request, token, door)
  if (isToolError(caller)) return refuseGuessing(response, caller)
  if (token === undefined || caller === undefined) {
    response.setHeader('www-authenticate', challenge(options, token))
    return refuse(response, 401, 'A bearer token is needed.')
  }
  const authenticated: Authenticated = request
  authenticated.auth = { token, clientId: caller.principal, scopes: [], extra: { caller } }
  if (request.method !== 'POST')
    return door.sessions.serve(authenticated, response, caller, undefined)
  return servePost(authenticated, response, caller, door)
}

/** Whose token it is; an error when too many were shown from there that are nobody's. */
async function met(
  { headers, socket }: IncomingMessage,
  token: string | undefined,
  door: Door,
): Promise<Caller | ToolError | undefined> {
  const comer = comerOf(headers, () => socket.remoteAddress)
  try {
    return await door.strangers.meet(comer, token, door.authenticate)
  } catch (thrown) {
    if (isToolError(thrown) && thrown.code === 'TOOL_RATE_LIMIT_EXCEEDED') return thrown
    throw thrown
  }
}

function refuseGuessing(response: ServerResponse, { message, details }: ToolError): void {
  response.setHeader('retry-after', String(Math.ceil(Number(details?.retry_after_ms) / 1_000)))
  refuse(response, TOO_MANY, message)
}

async function servePost(
  request: Authenticated,
  response: ServerResponse,
  caller: Caller,
  door: Door,
): Promise<void> {
  // a page can send text/plain anywhere without asking: only JSON is read as JSON
  if (!isJsonContentType(request.headers['content-type']))
    return refuse(response, 415, 'The body must be application/json.')
  const maxBytes = door.maxBodyBytes()
  const coming = readBody(request, {
    maxBytes,
    timeoutMs: door.bodyTimeoutMs,
    clock: door.surface.clock,
  })
  const body = coming instanceof Promise ? await coming : coming
  if ('status' in body) return refuseBody(response, body)
  const parsed = parseMessage(body, maxBytes)
  if ('trouble' in parsed)
    return openAnswer(response, null).error(400, { code: PARSE_ERROR, message: parsed.trouble })
  return serveMessage(parsed.value, { request, response, caller }, door)
}

type Posted = {
  readonly request: Authenticated
  readonly response: ServerResponse
  readonly caller: Caller
}

function serveMessage(
  message: unknown,
  { request, response, caller }: Posted,
  door: Door,
): Maybe<void> {
  const { headers } = request
  const known = readHot(message)
  const hot = known !== undefined && headersAgree(known, headers) ? known : undefined
  if (hot === undefined && isLegacy(message, request))
    return door.sessions.serve(request, response, caller, message)
  const mismatch = paramMismatch(message, { headers, caller }, door.surface)
  if (mismatch !== undefined)
    return openAnswer(response, known?.id ?? null).error(400, {
      code: HEADER_MISMATCH,
      message: mismatch,
    })
  if (hot === undefined) return door.throughSdk(request, response, message)
  return serveHot(hot, response, { caller, surface: door.surface, closing: door.closing })
}

function isLegacy(body: unknown, request: IncomingMessage): boolean {
  return (
    classifyInboundRequest({ httpMethod: 'POST', body, ...headersOf(request) }).kind === 'legacy'
  )
}

function refuseBody(response: ServerResponse, { status, message }: Refusal): void {
  // the rest of a body that is late is not waited for
  if (status === TOO_LATE) response.setHeader('connection', 'close')
  refuse(response, status, message)
}

function headersOf({ headers }: IncomingMessage): Readonly<Record<string, string>> {
  const named = {
    protocolVersionHeader: headers['mcp-protocol-version'],
    mcpMethodHeader: headers['mcp-method'],
    mcpNameHeader: headers['mcp-name'],
  }
  return Object.fromEntries(
    Object.entries(named).flatMap(([name, value]) =>
      typeof value === 'string' ? [[name, value]] : [],
    ),
  )
}

function callerIn(context: ServerContext): Caller {
  // erased: every request through the SDK carries it, for `serve` has put it there
  return context.http?.authInfo?.extra?.caller as Caller
}

function sendMetadata(
  request: IncomingMessage,
  response: ServerResponse,
  options: McpHttpOptions,
): void {
  const { pathname, search } = metadataUrl(options)
  // for another path it would be another resource's, and a client has to refuse it
  if (request.url !== pathname + search && request.url !== METADATA_PATH)
    refuse(response, 404, 'There is no such resource here.')
  else if (request.method !== 'GET') refuse(response, 405, 'The metadata is read with GET.')
  else
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify(resourceMetadata(options)))
}

function refuse(response: ServerResponse, status: number, message: string): void {
  if (response.headersSent) response.end()
  else openAnswer(response, null).error(status, { code: REFUSED, message })
}
