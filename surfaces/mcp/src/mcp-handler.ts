import type { IncomingMessage, ServerResponse } from 'node:http'
import { toNodeHandler } from '@modelcontextprotocol/node'
import {
  classifyInboundRequest,
  createMcpHandler,
  type ServerContext,
} from '@modelcontextprotocol/server'
import { type Caller, isToolError, type Runtime } from '@surehand/core'
import type { Pace } from '@surehand/core/host'
import { isRecord } from '@surehand/core/internal'
import {
  type AllowedSites,
  type Authenticate,
  type Authenticated,
  authenticate,
  chargeBody,
  chargeNotice,
  checkHeaders,
  createEdge,
  type Edge,
  type EdgeRequest,
  type FastPath,
  type FastPathResponse,
  fromNode,
  isStillAuthenticated,
  paceBody,
  readBearerToken,
  readJsonBytes,
} from '@surehand/edge'
import { serveStateless } from './answer-stateless.ts'
import { openAnswer } from './answer-stream.ts'
import {
  type McpHttpOptions,
  METADATA_PATH,
  metadataUrl,
  resourceMetadata,
} from './http-options.ts'
import { createMessageFastPath } from './message-fast-path.ts'
import { createSurface, type McpOptions, MESSAGE_OVERHEAD_BYTES, type Surface } from './options.ts'
import { findHeaderMismatch } from './param-headers.ts'
import { parseLargeMessage, parseMessage } from './parse-message.ts'
import { refuseUnexpected, toRefusal, writeRefusal } from './refusal.ts'
import { namesWebhook } from './request.ts'
import { sdkServer } from './sdk-server.ts'
import type { AuthenticatedMessage } from './sdk-session.ts'
import { isInitialize } from './session-opening.ts'
import { SESSION_COST, type SessionLimits, Sessions } from './sessions.ts'
import { findMissingName, headersMatchBody, readStatelessRequest } from './stateless-request.ts'

export type McpHandlerOptions = {
  readonly runtime: Runtime
  /** Looks a bearer token up; undefined where it is not valid, or no longer. */
  readonly authenticate: Authenticate
  /**
   * Limits by token and by address. Surfaces of one app share it, so that requests add up; default:
   * one of its own.
   */
  readonly edge?: Edge
  readonly options: McpOptions & McpHttpOptions
}

export type McpHandler = ((request: IncomingMessage, response: ServerResponse) => void) & {
  /** Plain requests without Node's server in between, where the server opens a fast path. */
  readonly fastPath: FastPath
  /** Notifies subscribed clients that the list of tools has changed. */
  readonly toolsChanged: () => void
  readonly promptsChanged: () => void
  readonly close: () => Promise<void>
}

/** What the handler and its fast path share. */
export type Endpoint = {
  readonly surface: Surface
  readonly authenticate: Authenticate
  readonly edge: Edge
  readonly options: McpHttpOptions
  readonly sites: AllowedSites
  /** How large the message of this request may be; it is refused before it is parsed. */
  readonly maxBodyBytes: (request: Pick<EdgeRequest, 'header'>, caller: Caller) => number
  readonly bodyTimeoutMs: number
  readonly sessions: Sessions
  readonly closing: AbortSignal
  readonly serveThroughSdk: (
    request: AuthenticatedMessage,
    response: ServerResponse,
    body: unknown,
  ) => Promise<void>
}

const SMALL_BODY_BYTES = 16_384
const WARM_UP_AFTER_MS = 1_000
const PARSE_ERROR = -32_700
const HEADER_MISMATCH = -32_020
const BODY_TIMEOUT_MS = 10_000
const MAX_UNNAMED_BYTES = 2 * 1024 * 1024
const SESSION_LIMITS: SessionLimits = { perPrincipal: 100, perTenant: 500, total: 1_000 }

/**
 * MCP over Streamable HTTP, for clients of the stateless revision (2026-07-28) and of 2025, on one
 * path.
 * @example
 * const mcp = mcpHandler({
 *   runtime,
 *   authenticate: identity.authenticate,
 *   options: { hosts: ['127.0.0.1:4114'], resource: 'http://127.0.0.1:4114/mcp' },
 * })
 */
export function mcpHandler({
  runtime,
  authenticate: lookUp,
  edge,
  options,
}: McpHandlerOptions): McpHandler {
  const shared = edge ?? createEdge({ ...(options.clock && { clock: options.clock }) })
  const surface = createSurface(runtime, {
    ...options,
    polls: shared.polls,
    listings: shared.listings,
  })
  const modern = createMcpHandler(() => sdkServer(surface, 'modern', callerIn), {
    legacy: 'reject',
  })
  const sessions = new Sessions({
    openServer: () => sdkServer(surface, 'legacy', callerIn),
    limits: { ...SESSION_LIMITS, ...options.sessions },
    key: surface.requestState?.key,
    clock: surface.clock,
  })
  const closing = new AbortController()
  const endpoint: Endpoint = {
    surface,
    authenticate: lookUp,
    edge: shared,
    options,
    sites: {
      hosts: new Set(options.hosts.map((host) => host.toLowerCase())),
      origins: new Set(options.origins ?? []),
    },
    maxBodyBytes: (request, { tenant }) => maxMessageBytes(request, tenant, { surface, options }),
    bodyTimeoutMs: options.bodyTimeoutMs ?? BODY_TIMEOUT_MS,
    sessions,
    closing: closing.signal,
    serveThroughSdk: toNodeHandler(modern) as Endpoint['serveThroughSdk'],
  }
  const cancelWarmUp = surface.clock.after(WARM_UP_AFTER_MS, warmUp)
  const handle = (request: IncomingMessage, response: ServerResponse): void => {
    const received = fromNode(request, endpoint.edge)
    serve({ request, received, response }, endpoint).catch((thrown: unknown) => {
      const refusal = isToolError(thrown)
        ? toRefusal(thrown, received, options)
        : refuseUnexpected()
      // The connection would stay with Node's server, where the next refusal costs more than in
      // front of it. What is left of a large body would be read and dropped as fast as it arrives.
      if (refusal.status === 429 && Number(request.headers['content-length']) <= SMALL_BODY_BYTES)
        response.setHeader('connection', 'close')
      sendRefusal(response, refusal)
    })
  }
  return Object.assign(handle, {
    fastPath: createMessageFastPath(endpoint),
    toolsChanged() {
      modern.notify.toolsChanged()
      modern.notify.resourcesChanged()
      sessions.toolsChanged()
    },
    promptsChanged() {
      modern.notify.promptsChanged()
      sessions.promptsChanged()
    },
    close: async () => {
      closing.abort()
      cancelWarmUp()
      await Promise.all([modern.close(), sessions.close()])
    },
  })
}

type Exchange = {
  readonly request: AuthenticatedMessage
  readonly received: EdgeRequest
  readonly response: ServerResponse
}

async function serve(exchange: Exchange, endpoint: Endpoint): Promise<void> {
  const { request, received, response } = exchange
  const { options, sessions } = endpoint
  checkHeaders(received, endpoint.sites)
  if (request.url?.startsWith(METADATA_PATH)) return sendMetadata(request, response, options)
  const { identity } = await authenticate(received, endpoint.authenticate, endpoint.edge)
  const { caller } = identity
  const token = readBearerToken(received) ?? ''
  request.auth = { token, clientId: caller.principal, scopes: [], extra: { caller } }
  if (request.method === 'POST') return servePost(exchange, identity, endpoint)
  if (request.method === 'GET') countStream(exchange, caller, endpoint)
  const turn = () => endpoint.edge.listings.next(identity.credential)
  return sessions.serve({ request, response, body: undefined, caller, turn })
}

async function servePost(
  exchange: Exchange,
  identity: Authenticated,
  endpoint: Endpoint,
): Promise<void> {
  const { received } = exchange
  const { caller, credential } = identity
  const maxBytes = endpoint.maxBodyBytes(received, caller)
  chargeBody(received, { maxBytes, credential }, endpoint.edge)
  const arriving = readJsonBytes(received, {
    maxBytes,
    timeoutMs: endpoint.bodyTimeoutMs,
    clock: endpoint.surface.clock,
  })
  const body = arriving instanceof Promise ? await arriving : arriving
  const pace = paceBody(received, { bytes: body.length, credential }, endpoint.edge)
  const parsed =
    pace === undefined
      ? parseMessage(body, maxBytes)
      : await parseLargeMessage(body, maxBytes, pace)
  if ('problem' in parsed)
    return openAnswer(exchange.response, null).error(400, {
      code: PARSE_ERROR,
      message: parsed.problem,
    })
  return serveMessage({ value: parsed.value, pace }, exchange, identity, endpoint)
}

function maxMessageBytes(
  request: Pick<EdgeRequest, 'header'>,
  tenant: string,
  { surface, options }: Pick<Endpoint, 'surface' | 'options'>,
): number {
  const isCall = request.header('mcp-method') === 'tools/call'
  const tool = isCall ? surface.catalogue.find(request.header('mcp-name') ?? '', tenant) : undefined
  const limit =
    tool === undefined
      ? (options.maxUnnamedBytes ?? MAX_UNNAMED_BYTES)
      : tool.contract.maxInputBytes + MESSAGE_OVERHEAD_BYTES
  return Math.min(limit, options.maxBodyBytes ?? limit)
}

async function serveMessage(
  { value: message, pace }: { readonly value: unknown; readonly pace: Pace | undefined },
  exchange: Exchange,
  { caller, credential }: Authenticated,
  endpoint: Endpoint,
): Promise<void> {
  const { request, response } = exchange
  const { headers } = request
  const { surface, sessions, closing, edge } = endpoint
  const known = readStatelessRequest(message)
  const stateless = known !== undefined && headersMatchBody(known, headers) ? known : undefined
  if (request.auth !== undefined) request.auth.extra = { caller, pace }
  if (namesWebhook(message)) chargeNotice(credential, edge)
  if (stateless === undefined && isLegacy(message, request)) {
    if (isInitialize(message)) edge.tokenLimiter.charge(credential, SESSION_COST)
    const turn = () => edge.listings.next(credential)
    return sessions.serve({ request, response, body: message, caller, turn })
  }
  const unnamed = known === undefined ? undefined : findMissingName(known, headers)
  const mismatch =
    unnamed === undefined
      ? findHeaderMismatch(message, { request: exchange.received, caller }, surface)
      : `The header Mcp-Name is missing. It must repeat "${unnamed}" of the body.`
  if (mismatch !== undefined)
    return openAnswer(response, known?.id ?? null).error(400, {
      code: HEADER_MISMATCH,
      message: mismatch,
    })
  if (isRecord(message) && message.method === 'subscriptions/listen') {
    countStream(exchange, caller, endpoint)
    // Opened by the SDK, which takes more than a millisecond.
    await edge.listings.next(credential)
  }
  if (stateless === undefined) return endpoint.serveThroughSdk(request, response, message)
  return serveStateless(stateless, response, { caller, surface, closing, pace })
}

/** A stream may stay open for hours; it is closed when its token is revoked meanwhile. */
function countStream(
  { received, response }: Exchange,
  caller: Caller,
  { authenticate: lookUp, edge }: Endpoint,
): void {
  const leave = edge.streams.open({
    caller,
    credential: readBearerToken(received) ?? '',
    isStillAuthorized: () => isStillAuthenticated(received, lookUp),
    end: () => response.destroy(),
  })
  response.once('close', leave)
}

function isLegacy(body: unknown, request: IncomingMessage): boolean {
  return (
    classifyInboundRequest({ httpMethod: 'POST', body, ...headersOf(request) }).kind === 'legacy'
  )
}

// The SDK builds its schemas when it first judges a message of each revision, which takes 30 to
// 200 ms: shortly after the start, and not while the first clients and all others wait.
function warmUp(): void {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': {},
  }
  const ping = { jsonrpc: '2.0', id: 0, method: 'ping' }
  for (const body of [ping, { ...ping, params: { _meta } }])
    classifyInboundRequest({ httpMethod: 'POST', body })
  isInitialize({ ...ping, method: 'initialize' })
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
  // The cast is safe: `serve` sets it on every request before the SDK gets it.
  return context.http?.authInfo?.extra?.caller as Caller
}

function sendMetadata(
  request: IncomingMessage,
  response: ServerResponse,
  options: McpHttpOptions,
): void {
  const { pathname, search } = metadataUrl(options)
  // The metadata of another path would describe another resource, and clients must reject it.
  if (request.url !== pathname + search && request.url !== METADATA_PATH)
    sendRefusal(response, writeRefusal(404, 'There is no such resource here.'))
  else if (request.method !== 'GET')
    sendRefusal(response, writeRefusal(405, 'Read the metadata with GET.'))
  else
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify(resourceMetadata(options)))
}

function sendRefusal(response: ServerResponse, refusal: FastPathResponse): void {
  if (response.headersSent) response.end()
  else response.writeHead(refusal.status, refusal.headers).end(refusal.text)
}
