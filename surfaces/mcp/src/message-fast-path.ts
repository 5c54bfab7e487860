import { Buffer } from 'node:buffer'
import { LOG_LEVEL_META_KEY, ProtocolErrorCode } from '@modelcontextprotocol/server'
import type { Caller } from '@surehand/core'
import type { Maybe } from '@surehand/core/ports'
import {
  type Authenticated,
  chargeNotice,
  checkHeaders,
  type EdgeRequest,
  type FastPath,
  type FastPathAnswer,
  type FastPathRequest,
  type FastPathResponse,
  fromFastPath,
  isJsonType,
  readBearerToken,
  tooManyRequests,
} from '@surehand/edge'
import { answerStateless, toRpcError } from './answer-stateless.ts'
import { type ListedTools, type ListingTurns, takeListingTurns } from './list-tools.ts'
import type { Endpoint } from './mcp-handler.ts'
import { findHeaderMismatch } from './param-headers.ts'
import { parseMessage } from './parse-message.ts'
import { refuseUnexpected, toRefusal } from './refusal.ts'
import { namesWebhook } from './request.ts'
import { SESSION_COST } from './sessions.ts'
import {
  headersMatchBody,
  isSubscription,
  readStatelessRequest,
  type StatelessRequest,
} from './stateless-request.ts'
import { writePage, writeResult } from './write-message.ts'

/**
 * Requests of the stateless revision whose response is a single JSON message, and what a session
 * answers without the SDK, without Node's server in between, and what is refused because a client asks for too much, which it may do as fast as it
 * is answered. A request that is refused for other reasons, or whose response may be a stream, is
 * passed to Node's server before anything is done for it.
 */
export function createMessageFastPath(endpoint: Endpoint): FastPath {
  const { pathname } = new URL(endpoint.options.resource)
  return {
    accepts: ({ path, headers }) =>
      path === pathname &&
      isJsonType(headers['content-type']) &&
      headers['content-encoding'] === undefined,
    respond(received) {
      const request = fromFastPath(received)
      const identity = tryAuthenticate(request, endpoint)
      return identity instanceof Promise
        ? identity.then((found) => respond({ received, request }, found, endpoint))
        : respond({ received, request }, identity, endpoint)
    },
    // `respond` never throws: exceptions become JSON-RPC errors.
    onError: () => undefined,
  }
}

function tryAuthenticate(
  request: EdgeRequest,
  { authenticate, edge, sites }: Endpoint,
): Maybe<Authenticated | undefined> {
  try {
    checkHeaders(request, sites)
    const token = readBearerToken(request)
    if (token === undefined) return undefined
    const found = edge.authThrottle.tryAuthenticate(request, token, authenticate)
    return found instanceof Promise ? found.catch(() => undefined) : found
  } catch {
    return undefined
  }
}

type Received = { readonly received: FastPathRequest; readonly request: EdgeRequest }

function respond(
  { received, request }: Received,
  identity: Authenticated | undefined,
  endpoint: Endpoint,
): Maybe<FastPathAnswer | undefined> {
  const { headers, body } = received
  if (identity === undefined || body.length === 0) return undefined
  const { edge, options } = endpoint
  const limit = edge.tokenLimiter.peek(identity.credential)
  // A request that will be refused is not parsed before.
  if (limit?.isExceeded)
    return edge.refusals
      .hold(identity.credential)
      .then(() => toRefusal(tooManyRequests(limit, 'token'), request, options))
  const maxBytes = endpoint.maxBodyBytes(request, identity.caller)
  if (body.length > maxBytes) return undefined
  const parsed = parseMessage(body, maxBytes)
  if ('problem' in parsed) return undefined
  const { caller, credential } = identity
  if (isSubscription(parsed.value, headers)) {
    const refusal = edge.streams.findRefusal(caller)
    return refusal === undefined || edge.tokenLimiter.take(credential).isExceeded
      ? undefined
      : toRefusal(refusal, request, options)
  }
  const stateless = readStatelessRequest(parsed.value)
  if (stateless === undefined)
    return respondInSession(parsed.value, { headers, identity }, endpoint)
  if (!hasSingleResponse(stateless) || !headersMatchBody(stateless, headers)) return undefined
  if (findHeaderMismatch(parsed.value, { request, caller }, endpoint.surface) !== undefined)
    return undefined
  // Last, so that a request which is passed on is counted once: by Node's path.
  if (edge.tokenLimiter.take(credential).isExceeded) return undefined
  if (namesWebhook(parsed.value)) chargeNotice(credential, edge)
  return stateless.method === 'tools/list' && received.takesChunks
    ? answerPage(stateless, { received, caller }, endpoint)
    : answer(stateless, { received, caller }, endpoint)
}

/** What a session of 2025 answers without the SDK. */
function respondInSession(
  message: unknown,
  { headers, identity }: Pick<FastPathRequest, 'headers'> & { readonly identity: Authenticated },
  { sessions, edge }: Endpoint,
): Promise<FastPathResponse> | undefined {
  const { caller, credential } = identity
  const answer = sessions.findAnswer(message, { headers, caller })
  if (answer === undefined || edge.tokenLimiter.take(credential).isExceeded) return undefined
  if (answer.opensSession) edge.tokenLimiter.charge(credential, SESSION_COST)
  return answer.respond(() => edge.listings.next(credential)).catch(refuseUnexpected)
}

/** True where the client asked for neither progress nor log messages. */
function hasSingleResponse({ meta }: StatelessRequest): boolean {
  return meta.progressToken === undefined && meta[LOG_LEVEL_META_KEY] === undefined
}

type Accepted = { readonly received: FastPathRequest; readonly caller: Caller }

async function answer(
  stateless: StatelessRequest,
  { received, caller }: Accepted,
  { surface, closing, edge }: Endpoint,
): Promise<FastPathResponse> {
  const { id } = stateless
  const sinceMs = stateless.method === 'tools/call' ? edge.answering.begin() : undefined
  try {
    const result = await answerStateless(
      stateless,
      { caller, signal: received.disconnectSignal(), notify: dropNotification, closing },
      surface,
    )
    return jsonResponse(200, writeResult(id, result))
  } catch (thrown) {
    return errorResponse(id, thrown)
  } finally {
    if (sinceMs !== undefined) edge.answering.end(sinceMs)
  }
}

async function answerPage(
  stateless: StatelessRequest,
  { received, caller }: Accepted,
  { surface, closing }: Endpoint,
): Promise<FastPathAnswer> {
  const { id } = stateless
  const turns = takeListingTurns(caller, surface)
  const signal = received.disconnectSignal()
  const exchange = { caller, signal, notify: dropNotification, turns, closing }
  try {
    const result = await answerStateless(stateless, exchange, surface)
    // The cast is safe: this is the result of a `tools/list`.
    return pageResponse(writePage(id, result as ListedTools), { turns, signal })
  } catch (thrown) {
    return errorResponse(id, thrown)
  }
}

function errorResponse(id: StatelessRequest['id'], thrown: unknown): FastPathResponse {
  const error = toRpcError(thrown)
  const status = error.code === ProtocolErrorCode.MissingRequiredClientCapability ? 400 : 200
  return jsonResponse(status, JSON.stringify({ jsonrpc: '2.0', id, error }))
}

function dropNotification(): void {
  // `hasSingleResponse` has checked that the client asked for none.
}

/** A page of tools. A long one is sent in parts; other requests are served in between. */
function pageResponse(
  parts: Generator<string, void>,
  { turns, signal }: { readonly turns: ListingTurns; readonly signal: AbortSignal },
): FastPathAnswer {
  const first = parts.next()
  const second = parts.next()
  if (second.done) return jsonResponse(200, first.value ?? '')
  return {
    status: 200,
    headers: JSON_TYPE,
    async writeBody(write) {
      write(first.value ?? '')
      let part: IteratorResult<string, void> = second
      for (; !part.done && !signal.aborted; part = parts.next()) {
        await turns.next()
        write(part.value)
      }
    },
  }
}

const JSON_TYPE = { 'content-type': 'application/json' }

function jsonResponse(status: number, text: string): FastPathResponse {
  return {
    status,
    headers: {
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(text)),
    },
    text,
  }
}
