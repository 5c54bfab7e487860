import type { IncomingMessage, ServerResponse } from 'node:http'
import { toNodeHandler } from '@modelcontextprotocol/node'
import { classifyInboundRequest, createMcpHandler, isJsonContentType, type ServerContext } from '@modelcontextprotocol/server'
import { type Caller, parseJson, type Runtime, toToolError } from '@surehand/core'
import { openAnswer } from './answer-stream.ts'
import { bearerOf, guardRequest } from './guard-request.ts'
import { readHot } from './hot-request.ts'
import { challenge, type McpHttpOptions, METADATA_PATH, resourceMetadata } from './http-options.ts'
import { type McpOptions, type Surface, surfaceOf } from './options.ts'
import { readBody } from './read-body.ts'
import { isRecord } from './request.ts'
import { sdkServer } from './sdk-server.ts'
import { serveHot } from './serve-hot.ts'
import { type Authenticated, createSessions, type Sessions } from './sessions.ts'

export type McpHandlerOptions = {
  readonly runtime: Runtime
  /** Whose token this is; undefined when it is nobody's, or no more. */
  readonly authenticate: (token: string) => Promise<Caller | undefined>
  readonly options: McpOptions & McpHttpOptions
}

export type McpHandler = ((request: IncomingMessage, response: ServerResponse) => void) & {
  /** Tells whoever subscribed that the list is another one now. */
  readonly toolsChanged: () => void
  readonly promptsChanged: () => void
  readonly close: () => Promise<void>
}

type Door = {
  readonly surface: Surface
  readonly authenticate: McpHandlerOptions['authenticate']
  readonly options: McpHttpOptions
  readonly maxBodyBytes: number
  readonly sessions: Sessions
  readonly throughSdk: (request: Authenticated, response: ServerResponse, body: unknown) => Promise<void>
}

const PARSE_ERROR = -32_700
const REFUSED = -32_000
const BESIDE_THE_INPUT_BYTES = 64 * 1024
const MAX_SESSIONS = 1_000

/** MCP over Streamable HTTP for both eras, on one path. */
export function mcpHandler({ runtime, authenticate, options }: McpHandlerOptions): McpHandler {
  const surface = surfaceOf(runtime, options)
  const modern = createMcpHandler(() => sdkServer(surface, 'modern', callerIn), { legacy: 'reject' })
  const sessions = createSessions(() => sdkServer(surface, 'legacy', callerIn), options.maxSessions ?? MAX_SESSIONS)
  const largest = Math.max(0, ...runtime.tools().map((tool) => tool.contract.maxInputBytes))
  const maxBodyBytes = options.maxBodyBytes ?? largest + BESIDE_THE_INPUT_BYTES
  const door: Door = { surface, authenticate, options, maxBodyBytes, sessions, throughSdk: toNodeHandler(modern) as Door['throughSdk'] }
  const handle = (request: IncomingMessage, response: ServerResponse): void => {
    serve(request, response, door).catch(() => refuse(response, 500, 'Something unexpected broke.'))
  }
  return Object.assign(handle, {
    toolsChanged() {
      modern.notify.toolsChanged()
      modern.notify.resourcesChanged()
      sessions.toolsChanged()
    },
    promptsChanged: () => modern.notify.promptsChanged(),
    close: async () => {
      await Promise.all([modern.close(), sessions.close()])
    },
  })
}

async function serve(request: IncomingMessage, response: ServerResponse, door: Door): Promise<void> {
  const { options } = door
  const refusal = guardRequest(request, options)
  if (refusal !== undefined) return refuse(response, refusal.status, refusal.message)
  if (request.url?.startsWith(METADATA_PATH)) return sendMetadata(request, response, options)
  const token = bearerOf(request)
  const caller = token === undefined ? undefined : await door.authenticate(token)
  if (token === undefined || caller === undefined) {
    response.setHeader('www-authenticate', challenge(options, token))
    return refuse(response, 401, 'A bearer token is needed.')
  }
  const authenticated: Authenticated = request
  authenticated.auth = { token, clientId: caller.principal, scopes: [], extra: { caller } }
  if (request.method !== 'POST') return door.sessions.serve(authenticated, response, caller, undefined)
  return servePost(authenticated, response, caller, door)
}

async function servePost(request: Authenticated, response: ServerResponse, caller: Caller, door: Door): Promise<void> {
  // a page can send text/plain anywhere without asking: only JSON is read as JSON
  if (!isJsonContentType(request.headers['content-type'])) return refuse(response, 415, 'The body must be application/json.')
  const text = await readBody(request, door.maxBodyBytes)
  if (text === undefined) return refuse(response, 413, `The body is larger than ${door.maxBodyBytes} bytes.`)
  const body = parseBody(text, response, door.maxBodyBytes)
  if (body === undefined) return
  const hot = readHot(body.value, request.headers)
  if (hot !== undefined) return serveHot(hot, caller, response, door.surface)
  const { kind } = classifyInboundRequest({
    httpMethod: 'POST',
    body: body.value,
    ...headersOf(request),
  })
  if (kind === 'legacy') return door.sessions.serve(request, response, caller, body.value)
  return door.throughSdk(request, response, body.value)
}

function parseBody(text: string, response: ServerResponse, maxBytes: number): { readonly value: unknown } | undefined {
  try {
    return { value: parseJson(text, maxBytes) }
  } catch (thrown) {
    const call = callWithBadInput(text, maxBytes)
    if (call !== undefined) return { value: call }
    openAnswer(response, null).error(400, { code: PARSE_ERROR, message: toToolError(thrown).message })
    return undefined
  }
}

/**
 * A tools/call whose arguments no tool would take (too many keys, too deep, half a character) is JSON all the same:
 * the runtime refuses it in its own words, and records it. What repeats a key is not among them: nobody could tell what was meant.
 */
function callWithBadInput(text: string, maxBytes: number): unknown {
  try {
    const body: unknown = JSON.parse(text)
    if (!isRecord(body) || body.method !== 'tools/call' || !isRecord(body.params)) return undefined
    const { arguments: input, ...params } = body.params
    parseJson(JSON.stringify({ ...body, params }), maxBytes)
    return isRefused(input, maxBytes) ? body : undefined
  } catch {
    return undefined
  }
}

function isRefused(input: unknown, maxBytes: number): boolean {
  try {
    parseJson(JSON.stringify(input), maxBytes)
    return false
  } catch {
    return true
  }
}

function headersOf({ headers }: IncomingMessage): Readonly<Record<string, string>> {
  const named = {
    protocolVersionHeader: headers['mcp-protocol-version'],
    mcpMethodHeader: headers['mcp-method'],
    mcpNameHeader: headers['mcp-name'],
  }
  return Object.fromEntries(Object.entries(named).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])))
}

function callerIn(context: ServerContext): Caller {
  // erased: every request through the SDK carries it, for `serve` has put it there
  return context.http?.authInfo?.extra?.caller as Caller
}

function sendMetadata(request: IncomingMessage, response: ServerResponse, options: McpHttpOptions): void {
  if (request.method !== 'GET') refuse(response, 405, 'The metadata is read with GET.')
  else response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(resourceMetadata(options)))
}

function refuse(response: ServerResponse, status: number, message: string): void {
  if (response.headersSent) response.end()
  else openAnswer(response, null).error(status, { code: REFUSED, message })
}
