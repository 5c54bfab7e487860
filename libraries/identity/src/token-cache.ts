import type { Clock } from '@surehand/core/ports'
import type { SignedIn } from './identity.ts'

/** Maps the text of a token to its caller, for as long as the directory's data is fresh. */
export type TokenCache = {
  readonly get: (bearer: string) => SignedIn | undefined
  readonly set: (bearer: string, signedIn: SignedIn, until: CacheExpiry) => void
}

/**
 * Both must be in the future: the end of the directory's data, in ticks, and the expiry of the
 * token.
 */
export type CacheExpiry = { readonly ticks: number; readonly expiresAt: number }

// Token texts do not stay in memory much longer than they are used, and many tokens cannot fill it.
const FORGET_MS = 1_000
const MAX_TOKENS = 10_000

/**
 * Avoids parsing, hashing and looking up the same token again. A revocation takes effect as fast as
 * without the cache.
 */
export function createTokenCache(clock: Clock): TokenCache {
  const known = new Map<string, { readonly signedIn: SignedIn; readonly until: CacheExpiry }>()
  let forgetAtTicks = Number.NEGATIVE_INFINITY
  return {
    get(bearer) {
      const found = known.get(bearer)
      if (
        found === undefined ||
        clock.ticks() >= found.until.ticks ||
        clock.now() >= found.until.expiresAt
      )
        return undefined
      return found.signedIn
    },
    set(bearer, signedIn, until) {
      const now = clock.ticks()
      if (now >= until.ticks) return
      if (now >= forgetAtTicks || known.size >= MAX_TOKENS) {
        known.clear()
        forgetAtTicks = now + FORGET_MS
      }
      known.set(bearer, { signedIn, until })
    },
  }
}
