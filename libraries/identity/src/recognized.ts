import type { Clock } from '@surehand/core/ports'
import type { SignedIn } from './identity.ts'

/** Whose token a text is, for as long as that may be said without another look at the house. */
export type Recognized = {
  readonly find: (bearer: string) => SignedIn | undefined
  readonly keep: (bearer: string, signedIn: SignedIn, until: Until) => void
}

/** Both must lie ahead: the next look at the house, in ticks, and the end of the token itself. */
export type Until = { readonly ticks: number; readonly expiresAt: number }

// while anybody comes, no text lies in memory for much longer than it serves; and a flood of tokens can not fill it
const FORGET_MS = 1_000
const MOST = 10_000

/** Saves reading, hashing and looking up a token that was just looked at. What is revoked is seen at the next look, as without it. */
export function createRecognized(clock: Clock): Recognized {
  const known = new Map<string, { readonly signedIn: SignedIn; readonly until: Until }>()
  let forgetAtTicks = Number.NEGATIVE_INFINITY
  return {
    find(bearer) {
      const found = known.get(bearer)
      if (
        found === undefined ||
        clock.ticks() >= found.until.ticks ||
        clock.now() >= found.until.expiresAt
      )
        return undefined
      return found.signedIn
    },
    keep(bearer, signedIn, until) {
      const now = clock.ticks()
      if (now >= until.ticks) return
      if (now >= forgetAtTicks || known.size >= MOST) {
        known.clear()
        forgetAtTicks = now + FORGET_MS
      }
      known.set(bearer, { signedIn, until })
    },
  }
}
