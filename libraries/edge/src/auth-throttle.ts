import { hash } from 'node:crypto'
import type { ToolError } from '@surehand/core'
import type { Clock, Maybe } from '@surehand/core/ports'
import { edgeError } from './edge-error.ts'
import { createRateLimiter, type RateLimit, type RateLimitState } from './rate-limiter.ts'
import { type RemoteClient, remoteAddress } from './remote-address.ts'

/**
 * Counts credentials that were not valid by the client's address. Surfaces of one app share one throttle, so
 * that guesses add up whichever surface they are made at.
 */
export type AuthThrottle = {
  /**
   * Looks the credential up; undefined where it is missing or not valid. While too many attempts
   * from the client's address have failed, nothing is looked up and TOOL_RATE_LIMIT_EXCEEDED is
   * thrown: guessing is slow and costs the server little.
   */
  readonly authenticate: <T>(
    client: RemoteClient,
    credential: string | undefined,
    lookUp: LookUp<T>,
  ) => Maybe<T | undefined>
  /**
   * The same for a handler that passes requests it does not authenticate to another handler:
   * nothing is thrown, and the `authenticate` that follows there neither looks up nor counts the
   * same credential again.
   */
  readonly tryAuthenticate: <T>(
    client: RemoteClient,
    credential: string,
    lookUp: LookUp<T>,
  ) => Maybe<T | undefined>
}

type LookUp<T> = (credential: string) => Maybe<T | undefined>

export const DEFAULT_FAILURE_LIMIT: RateLimit = { perSecond: 2, burst: 40 }

/** One attempt to authenticate. */
type Attempt = {
  readonly credential: string | undefined
  /**
   * What is left to the client's address; undefined while no attempt from there has failed lately.
   */
  readonly state: RateLimitState | undefined
  /** True for a credential that was valid while attempts from this address failed. */
  readonly isKnown: boolean
}

// Clients with a known valid credential stay served while others guess from the same address: so
// many are remembered.
const MAX_KNOWN = 10_000
// How many lookups from one address may run at the same time.
const MAX_CONCURRENT_LOOKUPS = 256
// A request that `tryAuthenticate` has rejected reaches `authenticate` within this time.
const REJECTED = { maxAgeMs: 5_000, maxEntries: 1_000 }

export function createAuthThrottle(
  failureLimit: RateLimit,
  trustedProxies: number,
  clock: Clock,
): AuthThrottle {
  const failures = createRateLimiter(failureLimit, clock)
  const known = createKnownCredentials()
  const lookups = createLookupCounter()
  const rejectedAt = new Map<string, number>()
  const addressOf = (client: RemoteClient): string => remoteAddress(client, trustedProxies)

  function startAttempt(client: RemoteClient, credential: string | undefined): Attempt {
    const state = failures.isUnused() ? undefined : failures.peek(addressOf(client))
    return {
      credential,
      state,
      isKnown: state !== undefined && credential !== undefined && known.has(credential),
    }
  }

  /**
   * The limit that the attempt exceeds: failures from its address, or lookups that are still
   * running.
   */
  function exceededLimit(
    client: RemoteClient,
    { state, isKnown }: Attempt,
  ): RateLimitState | undefined {
    if (isKnown) return undefined
    if (state?.isExceeded) return state
    return lookups.isFull(() => addressOf(client))
      ? { isExceeded: true, limit: failureLimit.burst, remaining: 0, resetSeconds: 1 }
      : undefined
  }

  function wasJustRejected(credential: string | undefined): boolean {
    if (credential === undefined || rejectedAt.size === 0) return false
    const digest = digestOf(credential)
    const ticks = rejectedAt.get(digest)
    rejectedAt.delete(digest)
    return ticks !== undefined && clock.ticks() - ticks < REJECTED.maxAgeMs
  }

  function countFailure(client: RemoteClient, { credential, isKnown }: Attempt): RateLimitState {
    if (isKnown && credential !== undefined) known.remove(credential)
    return failures.charge(addressOf(client))
  }

  // A credential found in memory was looked up a moment ago, and has been remembered since then.
  function succeed<T>(found: T, { credential, isKnown }: Attempt, from: 'memory' | 'store'): T {
    if (from === 'store' && credential !== undefined && !isKnown) known.add(credential)
    return found
  }

  return {
    authenticate(client, credential, lookUp) {
      // A request without a credential guesses nothing and costs no lookup. Counted, it would let
      // any web page lock out the clients of its visitor's machine.
      if (credential === undefined) return undefined
      // First, or the last failure that is allowed would be refused as one too many where
      // `tryAuthenticate` has counted it.
      if (wasJustRejected(credential)) return undefined
      const attempt = startAttempt(client, credential)
      const exceeded = exceededLimit(client, attempt)
      if (exceeded !== undefined) throw tooManyFailures(exceeded)
      const fail = (): undefined => {
        const counted = countFailure(client, attempt)
        if (counted.isExceeded) throw tooManyFailures(counted)
      }
      const found = lookUp(credential)
      if (!(found instanceof Promise))
        return found === undefined ? fail() : succeed(found, attempt, 'memory')
      return lookups.run(addressOf(client), found, (settled) =>
        settled === undefined ? fail() : succeed(settled, attempt, 'store'),
      )
    },
    tryAuthenticate(client, credential, lookUp) {
      const attempt = startAttempt(client, credential)
      if (exceededLimit(client, attempt) !== undefined) return undefined
      const reject = (): undefined => {
        countFailure(client, attempt)
        if (rejectedAt.size >= REJECTED.maxEntries) rejectedAt.clear()
        rejectedAt.set(digestOf(credential), clock.ticks())
      }
      const found = lookUp(credential)
      if (!(found instanceof Promise))
        return found === undefined ? reject() : succeed(found, attempt, 'memory')
      return lookups.run(addressOf(client), found, (settled) =>
        settled === undefined ? reject() : succeed(settled, attempt, 'store'),
      )
    },
  }
}

/** The credentials that were valid lately; the oldest one is dropped beyond the limit. */
function createKnownCredentials() {
  const digests = new Set<string>()
  return {
    has: (credential: string): boolean => digests.has(digestOf(credential)),
    remove: (credential: string): boolean => digests.delete(digestOf(credential)),
    add(credential: string): void {
      const digest = digestOf(credential)
      digests.delete(digest)
      digests.add(digest)
      if (digests.size > MAX_KNOWN) digests.delete(digests.values().next().value as string)
    },
  }
}

/**
 * Counts the lookups that are running, so that a burst of guesses cannot start more than allowed.
 */
function createLookupCounter() {
  const running = new Map<string, number>()
  return {
    isFull: (addressOf: () => string): boolean =>
      running.size > 0 && (running.get(addressOf()) ?? 0) >= MAX_CONCURRENT_LOOKUPS,
    run<T, R>(address: string, found: Promise<T>, end: (settled: T) => R): Promise<R> {
      running.set(address, (running.get(address) ?? 0) + 1)
      return found
        .finally(() => {
          const left = (running.get(address) ?? 1) - 1
          if (left > 0) running.set(address, left)
          else running.delete(address)
        })
        .then(end)
    },
  }
}

// Only the digest is stored, never the credential.
function digestOf(credential: string): string {
  return hash('sha256', credential, 'base64')
}

function tooManyFailures({ limit, resetSeconds }: RateLimitState): ToolError {
  return edgeError(
    'too_many_requests',
    'Too many requests with invalid credentials came from your address. Wait before you try again.',
    { limit, retry_after_ms: resetSeconds * 1_000 },
  )
}
