import { type Outcome, type ToolError, toEnvelope } from '@surehand/core'
import { type CallFacts, PROTOCOL_VERSION } from '@surehand/core/host'
import type { EdgeState } from '@surehand/edge'
import { statusOfError } from './edge-error.ts'
import type { Surface } from './options.ts'
import type { Visit } from './visit.ts'
import type { WireContext } from './wire.ts'

/** On every answer: nothing is guessed, framed, kept or told to other sites. */
export const SAFE_HEADERS = {
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'same-origin',
} as const

/** An answer that every way out can send. */
export type Answer = {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
}

/** To whom: what they accept, and what is left for their credential. */
export type Asker = { readonly accept: string | undefined; readonly edge: EdgeState | undefined }

/** An outcome as HTTP carries it. */
export function reply(outcome: Outcome, { accept, edge }: Asker, surface: Surface): Answer {
  const status = statusOf(outcome)
  const isProblem = outcome.status === 'failed' && accept?.includes('application/problem+json')
  const text = JSON.stringify(isProblem ? problem(outcome, status) : toEnvelope(outcome, surface))
  const contentLength = String(Buffer.byteLength(text))
  if (outcome.status === 'done' && edge !== undefined)
    return { status, headers: doneHeaders(contentLength, edge), text }
  const headers = {
    ...SAFE_HEADERS,
    'content-type': isProblem ? 'application/problem+json' : 'application/json',
    'content-length': contentLength,
    ...headersOf(outcome, status),
    ...limitHeaders(outcome, edge),
  }
  return { status, headers, text }
}

// what nearly every answer has, in one piece
function doneHeaders(
  contentLength: string,
  { limit, remaining, resetSeconds }: EdgeState,
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

/** The same, as the app's response. */
export function respond(outcome: Outcome, context: WireContext, surface: Surface): Response {
  const asker = { accept: context.get('visit').header('accept'), edge: context.get('edge') }
  const { text, ...init } = reply(outcome, asker, surface)
  return new Response(text, init)
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
      return statusOfError(outcome.error)
  }
}

const NONE: Readonly<Record<string, string>> = {}

function headersOf(outcome: Outcome, status: number): Readonly<Record<string, string>> {
  if (outcome.status === 'pending' || outcome.status === 'asking' || outcome.status === 'accepted')
    return { location: `/v1/calls/${encodeURIComponent(outcome.facts.callId)}`, 'retry-after': '1' }
  if (outcome.status === 'done') return NONE
  const waitMs = outcome.error.details?.retry_after_ms
  return {
    ...(typeof waitMs === 'number' ? { 'retry-after': String(Math.ceil(waitMs / 1_000)) } : {}),
    ...(status === 401 ? { 'www-authenticate': 'Bearer realm="surehand"' } : {}),
    // the rest of the body is not read: what comes behind it must not be taken for a request
    ...(status === 408 || status === 413 ? { connection: 'close' } : {}),
  }
}

// a tool's own limit, where it refused, else the edge's
function limitHeaders(outcome: Outcome, edge: EdgeState | undefined): Record<string, string> {
  const details =
    outcome.status === 'failed' && outcome.error.code === 'TOOL_RATE_LIMIT_EXCEEDED'
      ? outcome.error.details
      : undefined
  if (typeof details?.limit === 'number' && typeof details.retry_after_ms === 'number')
    return rateLimit(details.limit, 0, Math.ceil(details.retry_after_ms / 1_000))
  return edge === undefined ? {} : rateLimit(edge.limit, edge.remaining, edge.resetSeconds)
}

function rateLimit(limit: number, remaining: number, resetSeconds: number): Record<string, string> {
  return {
    'ratelimit-limit': String(limit),
    'ratelimit-remaining': String(remaining),
    'ratelimit-reset': String(resetSeconds),
  }
}

// RFC 9457, for clients that ask for it: the envelope's error under the names they know
function problem(outcome: Extract<Outcome, { status: 'failed' }>, status: number): object {
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

/** The outcome of a request that is no call of a tool. */
export function plainOutcome(
  command: string,
  answer: { readonly data: unknown } | { readonly error: ToolError },
  visit: Visit,
  surface: Surface,
): Outcome {
  const facts: CallFacts = {
    callId: visit.requestId(),
    tool: command,
    title: command,
    category: 'surface',
    schemaVersion: PROTOCOL_VERSION,
    permissionsUsed: [],
    durationMs: surface.clock.ticks() - visit.startedTicks,
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
