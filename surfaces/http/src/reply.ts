import { type Outcome, type ToolError, toEnvelope } from '@surehand/core'
import { type CallFacts, PROTOCOL_VERSION } from '@surehand/core/host'
import {
  httpStatusOf,
  type RateLimitState,
  rateLimitHeaders,
  retryAfterSeconds,
} from '@surehand/edge'
import type { HttpContext } from './http-env.ts'
import type { HttpRequest } from './http-request.ts'
import type { Surface } from './options.ts'
import { WrittenPage } from './paging.ts'

/**
 * On every response: browsers must not guess its type, store it, frame it, or send its address to
 * other sites.
 */
export const SAFE_HEADERS = {
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'same-origin',
} as const

/** A response that the fast path, Node's server and the Hono app can all send. */
export type Reply = {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
}

/**
 * What a reply depends on besides its outcome: the Accept header, and what is left for the token.
 */
export type ReplyContext = {
  readonly accept: string | undefined
  readonly rateLimit: RateLimitState | undefined
}

/** An outcome as an HTTP response. */
export function reply(
  outcome: Outcome,
  { accept, rateLimit }: ReplyContext,
  surface: Surface,
): Reply {
  const status = statusOf(outcome)
  const isProblem = outcome.status === 'failed' && accept?.includes('application/problem+json')
  const text = JSON.stringify(isProblem ? toProblem(outcome, status) : toEnvelope(outcome, surface))
  const contentLength = String(Buffer.byteLength(text))
  if (outcome.status === 'done' && rateLimit !== undefined)
    return { status, headers: doneHeaders(contentLength, rateLimit), text }
  const headers = {
    ...SAFE_HEADERS,
    'content-type': isProblem ? 'application/problem+json' : 'application/json',
    'content-length': contentLength,
    ...outcomeHeaders(outcome, status),
    ...limitHeaders(outcome, rateLimit),
  }
  return { status, headers, text }
}

// The headers of nearly every response, as one object literal: spreading several costs time in each
// call.
function doneHeaders(
  contentLength: string,
  { limit, remaining, resetSeconds }: RateLimitState,
): Readonly<Record<string, string>> {
  return {
    ...SAFE_HEADERS,
    'content-type': 'application/json',
    'content-length': contentLength,
    'ratelimit-limit': String(limit),
    'ratelimit-remaining': String(remaining),
    'ratelimit-reset': String(resetSeconds),
  }
}

/** The same as a response of the Hono app. */
export function respond(outcome: Outcome, context: HttpContext, surface: Surface): Response {
  const { text, ...init } = reply(
    outcome,
    { accept: context.get('request').header('accept'), rateLimit: context.get('rateLimit') },
    surface,
  )
  if (outcome.status !== 'done' || !(outcome.data instanceof WrittenPage))
    return new Response(text, init)
  const { length, body } = outcome.data.insertItems(text)
  const headers = { ...init.headers, 'content-length': String(length) }
  return new Response(body, { ...init, headers })
}

function statusOf(outcome: Outcome): number {
  switch (outcome.status) {
    case 'done':
      return 200
    case 'pending':
    case 'asking':
    case 'accepted':
      return 202
    case 'failed':
      return httpStatusOf(outcome.error)
  }
}

const NONE: Readonly<Record<string, string>> = {}

function outcomeHeaders(outcome: Outcome, status: number): Readonly<Record<string, string>> {
  if (outcome.status === 'pending' || outcome.status === 'asking' || outcome.status === 'accepted')
    return { location: `/v1/calls/${encodeURIComponent(outcome.facts.callId)}`, 'retry-after': '1' }
  if (outcome.status === 'done') return NONE
  const seconds = retryAfterSeconds(outcome.error)
  return {
    ...(seconds === undefined ? {} : { 'retry-after': String(seconds) }),
    ...(status === 401 ? { 'www-authenticate': 'Bearer realm="surehand"' } : {}),
    // The rest of the body is not read, and must not be taken for the next request.
    ...(status === 408 || status === 413 ? { connection: 'close' } : {}),
  }
}

// The limit that refused the call where one did, else the limit of the token.
function limitHeaders(
  outcome: Outcome,
  rateLimit: RateLimitState | undefined,
): Readonly<Record<string, string>> {
  const details =
    outcome.status === 'failed' && outcome.error.code === 'TOOL_RATE_LIMIT_EXCEEDED'
      ? outcome.error.details
      : undefined
  if (typeof details?.limit === 'number' && typeof details.retry_after_ms === 'number')
    return rateLimitHeaders({
      limit: details.limit,
      remaining: 0,
      resetSeconds: Math.ceil(details.retry_after_ms / 1_000),
    })
  return rateLimit === undefined ? NONE : rateLimitHeaders(rateLimit)
}

// RFC 9457, for clients that accept it: the envelope's error under the standard's names.
function toProblem(outcome: Extract<Outcome, { status: 'failed' }>, status: number): object {
  const { error, facts } = outcome
  return {
    type: `urn:surehand:error:${error.code}`,
    title: error.code,
    status,
    detail: error.message,
    instance: `urn:surehand:call:${facts.callId}`,
    code: error.code,
    ...(error.details === undefined ? {} : { details: error.details }),
  }
}

/** The outcome of a request that does not call a tool. */
export function commandOutcome(
  command: string,
  answer: { readonly data: unknown } | { readonly error: ToolError },
  request: HttpRequest,
  surface: Surface,
): Outcome {
  const facts: CallFacts = {
    callId: request.requestId(),
    tool: command,
    title: command,
    category: 'surface',
    schemaVersion: PROTOCOL_VERSION,
    permissionsUsed: [],
    durationMs: surface.clock.ticks() - request.startedTicks,
    validationMs: 0,
    notes: [],
  }
  return 'error' in answer
    ? {
        facts,
        status: 'failed',
        error: answer.error,
        source: 'executed',
        originalCallId: undefined,
      }
    : {
        facts,
        status: 'done',
        data: answer.data,
        source: 'executed',
        degraded: false,
        warnings: [],
        originalCallId: undefined,
      }
}
