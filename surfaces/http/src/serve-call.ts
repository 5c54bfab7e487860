import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Outcome } from '@surehand/core'
import {
  authenticate,
  checkHeaders,
  type FastPath,
  type FastPathStream,
  fromFastPath,
  fromNode,
  type RateLimitState,
  type RequestHead,
  streamBody,
} from '@surehand/edge'
import { ownerOfToken, PAGE_HEADER } from './authenticate-request.ts'
import { wantsEvents } from './call-options.ts'
import { eventsOf, readCallRequest, runAndAwait } from './call-tool.ts'
import { corsHeaders } from './cors.ts'
import { disconnectSignal } from './disconnect-signal.ts'
import { EVENT_HEADERS, openEventStream } from './event-stream.ts'
import { type HttpRequest, toHttpRequest } from './http-request.ts'
import type { Surface } from './options.ts'
import { toPublicError } from './public-error.ts'
import { commandOutcome, type Reply, reply } from './reply.ts'

// The query of a call means nothing.
const CALL_PATH = /^\/v1\/tools\/(\w[\w.~-]*)\/call(?:\?|$)/

type RequestLine = {
  readonly method?: string | undefined
  readonly url?: string | undefined
  readonly headers: { readonly accept?: string | undefined; readonly [name: string]: unknown }
}

/**
 * The tool that a call names; undefined for every request that the Hono app serves, calls of pages
 * included.
 */
export function matchToolCall({ method, url, headers }: RequestLine): string | undefined {
  if (method !== 'POST') return undefined
  // A page of this server has no token: the app looks for the session of the person.
  if (headers[PAGE_HEADER] !== undefined) return undefined
  return CALL_PATH.exec(url ?? '')?.[1]
}

/** Serves a call, the most frequent request, on Node's own request and response. */
export async function serveCall(
  tool: string,
  request: IncomingMessage,
  response: ServerResponse,
  surface: Surface,
): Promise<void> {
  const call = {
    request: toHttpRequest(fromNode(request, surface.edge), surface),
    disconnectSignal: () => disconnectSignal(response),
  }
  const answer = await respondToCall(tool, call, surface)
  const sendWhole = ({ status, headers, text }: Reply): void => {
    response.writeHead(status, headers).end(text)
  }
  if ('text' in answer) sendWhole(answer)
  else
    await streamBody(answer, {
      sendWhole,
      begin(text) {
        response.writeHead(answer.status, answer.headers).flushHeaders()
        if (text !== '') response.write(text)
      },
      write: (text) => response.write(text),
      end: () => response.end(),
    })
}

/** Calls on the fast path. */
export function createCallFastPath(surface: Surface): FastPath {
  // Only POST requests arrive on the fast path.
  const matchTool = ({ path, headers }: Pick<RequestHead, 'path' | 'headers'>) =>
    matchToolCall({ method: 'POST', url: path, headers })
  return {
    accepts: (head) => matchTool(head) !== undefined,
    respond(received) {
      const tool = matchTool(received)
      if (tool === undefined) return undefined
      if (!received.takesChunks && wantsEvents(received.headers.accept)) return undefined
      const request = toHttpRequest(fromFastPath(received), surface)
      return respondToCall(tool, { request, disconnectSignal: received.disconnectSignal }, surface)
    },
    onError: (thrown) => surface.onError(thrown, 'unanswered'),
    answering: surface.edge.answering,
  }
}

type IncomingCall = {
  readonly request: HttpRequest
  readonly disconnectSignal: () => AbortSignal
}

async function respondToCall(
  tool: string,
  { request, disconnectSignal }: IncomingCall,
  surface: Surface,
): Promise<Reply | FastPathStream> {
  const { answering } = surface.edge
  let answeringSinceMs: number | undefined
  let rateLimit: RateLimitState | undefined
  let cors: Readonly<Record<string, string>> | undefined
  let command = 'http'
  let outcome: Outcome
  try {
    checkHeaders(request, surface)
    cors = corsHeaders(request, surface)
    command = 'tools.call'
    // Awaited also where it is no promise: a body that came with its headers is delivered in the
    // same turn of the event loop.
    const admitted = await authenticate(request, surface.identity.authenticate, surface.edge)
    rateLimit = admitted.rateLimit
    const { caller, credential } = admitted.identity
    const target = { tool, caller, credential, disconnectSignal }
    const read = readCallRequest(request, target, surface)
    const call = read instanceof Promise ? await read : read
    if (wantsEvents(request.header('accept'))) {
      const identity = ownerOfToken(request, admitted, surface)
      const asked = { request, identity, disconnectSignal: call.signal }
      const { run } = openEventStream(eventsOf(call, surface), asked, surface)
      return { status: 200, headers: { ...EVENT_HEADERS, ...cors }, writeBody: run }
    }
    if (call.pace === undefined) answeringSinceMs = answering.begin()
    outcome = await runAndAwait(call, surface)
  } catch (thrown) {
    const error = toPublicError(thrown, request, surface)
    outcome = commandOutcome(command, { error }, request, surface)
  }
  if (answeringSinceMs !== undefined) answering.end(answeringSinceMs)
  const answer = reply(outcome, { accept: request.header('accept'), rateLimit }, surface)
  return cors === undefined ? answer : { ...answer, headers: { ...answer.headers, ...cors } }
}
