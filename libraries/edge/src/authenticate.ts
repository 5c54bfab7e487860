import type { Caller, ToolError } from '@surehand/core'
import { type Clock, type Maybe, systemClock } from '@surehand/core/ports'
import { type Answering, createAnswering } from './answering.ts'
import { type AuthThrottle, createAuthThrottle, DEFAULT_FAILURE_LIMIT } from './auth-throttle.ts'
import { edgeError } from './edge-error.ts'
import { createFairTurns, createLoopTurns, type FairTurns } from './fair-turns.ts'
import { createHeldRefusals, type HeldRefusals } from './held-refusals.ts'
import {
  createOpenStreams,
  DEFAULT_STREAM_LIMITS,
  type OpenStreams,
  type StreamLimits,
} from './open-streams.ts'
import {
  createRateLimiter,
  type RateLimit,
  type RateLimiter,
  type RateLimitState,
} from './rate-limiter.ts'
import { createBodyTurns } from './read-incoming.ts'
import { clientAddress, type RemoteClient, remoteAddress } from './remote-address.ts'

/** Whose token it is; `credential` names the token, without being a secret. */
export type Authenticated = { readonly caller: Caller; readonly credential: string }

/** Looks a bearer token up; undefined where it is not valid. */
export type Authenticate<A extends Authenticated = Authenticated> = (
  token: string,
) => Maybe<A | undefined>

/**
 * The counts that all remote surfaces of an app share, so that requests add up whichever surface
 * they reach.
 */
export type Edge = {
  /** Counts failed authentications by address. */
  readonly authThrottle: AuthThrottle
  /** Counts requests by token. */
  readonly tokenLimiter: RateLimiter
  /** Delays the refusals of tokens that are used too often. */
  readonly refusals: HeldRefusals
  /** Counts open streams, and ends those whose credential was revoked. */
  readonly streams: OpenStreams
  /** Looks at stored answers for clients that wait, the principals in turn. */
  readonly polls: FairTurns
  /** The small calls that are being answered, which other work lets pass. */
  readonly answering: Answering
  /** Reads large bodies in small parts, the clients in turn. */
  readonly bodies: FairTurns
  /** Works on long lists in small parts, the principals in turn. */
  readonly listings: FairTurns
  /** The address that a client's requests are counted under. */
  readonly addressOf: (client: RemoteClient) => string
  /** The caller with the address that its request came from. */
  readonly locate: (caller: Caller, client: RemoteClient) => Caller
}

export type EdgeOptions = {
  /** Requests with one token. Default: 200 per second, 400 at once. */
  readonly perToken?: RateLimit | undefined
  /** Failed authentications from one address. Default: 2 per second, 40 at once. */
  readonly authFailures?: RateLimit
  /** Streams that are open at once. Default: 50 of a principal, 500 of a tenant, 2,000 of all. */
  readonly streams?: Partial<StreamLimits> | undefined
  /** How often a second stored answers are looked at for clients that wait. Default: 400. */
  readonly pollsPerSecond?: number | undefined
  /**
   * How many trusted proxies are in front; `X-Forwarded-For` is read so far. Default: 0, not at
   * all.
   */
  readonly trustedProxies?: number
  readonly clock?: Clock
}

export function createEdge({
  perToken = { perSecond: 200, burst: 400 },
  authFailures = DEFAULT_FAILURE_LIMIT,
  streams,
  pollsPerSecond = 400,
  trustedProxies = 0,
  clock = systemClock(),
}: EdgeOptions = {}): Edge {
  const answering = createAnswering()
  return {
    authThrottle: createAuthThrottle(authFailures, trustedProxies, clock),
    tokenLimiter: createRateLimiter(perToken, clock),
    refusals: createHeldRefusals(clock),
    streams: createOpenStreams({ ...DEFAULT_STREAM_LIMITS, ...streams }, clock),
    polls: createFairTurns(pollsPerSecond, clock),
    answering,
    bodies: createBodyTurns(answering),
    listings: createLoopTurns({ answering }),
    addressOf: (client) => remoteAddress(client, trustedProxies),
    locate(caller, client) {
      const ip = clientAddress(client, trustedProxies)
      return ip === '' ? caller : { ...caller, ip }
    },
  }
}

const BEARER = /^Bearer +([\x21-\x7e]+)$/i

export function readBearerToken(request: Pick<RemoteClient, 'header'>): string | undefined {
  return BEARER.exec(request.header('authorization') ?? '')?.[1]
}

export type Admitted<A extends Authenticated> = {
  readonly identity: A
  /** What is left for this token. */
  readonly rateLimit: RateLimitState
}

/**
 * Who calls, by the bearer token alone; throws where the token is missing, not valid, or used too
 * often, and where too many tokens from this address were not valid. Answers without a promise
 * where the token is known already, unless its refusal is held.
 */
export function authenticate<A extends Authenticated>(
  request: RemoteClient,
  lookUp: Authenticate<A>,
  edge: Edge,
): Maybe<Admitted<A>> {
  const found = edge.authThrottle.authenticate(request, readBearerToken(request), lookUp)
  return found instanceof Promise
    ? found.then((identity) => admit(identity, request, edge))
    : admit(found, request, edge)
}

function admit<A extends Authenticated>(
  identity: A | undefined,
  request: RemoteClient,
  { tokenLimiter, refusals, locate }: Edge,
): Maybe<Admitted<A>> {
  // One message for every reason: a client without a valid token does not learn what is wrong with
  // it.
  if (identity === undefined)
    throw edgeError('not_signed_in', 'Send a valid token: Authorization: Bearer …')
  const rateLimit = tokenLimiter.take(identity.credential)
  if (rateLimit.isExceeded)
    return refusals.hold(identity.credential).then(() => {
      throw tooManyRequests(rateLimit, 'token')
    })
  return { identity: { ...identity, caller: locate(identity.caller, request) }, rateLimit }
}

/** The refusal of a token or a session that is used too often. */
export function tooManyRequests(
  { limit, resetSeconds }: RateLimitState,
  of: 'token' | 'session',
): ToolError {
  const message = `Too many requests with this ${of}. Wait before you go on.`
  return edgeError('too_many_requests', message, { limit, retry_after_ms: resetSeconds * 1_000 })
}

/** Whether the token of a request is still valid: asked again and again while a stream is open. */
export async function isStillAuthenticated(
  request: Pick<RemoteClient, 'header'>,
  lookUp: Authenticate,
): Promise<boolean> {
  const token = readBearerToken(request)
  return token !== undefined && (await lookUp(token)) !== undefined
}

/** How often an open stream is kept alive: shorter than the idle timeout of common proxies. */
export const KEEP_ALIVE_MS = 15_000
