import { hash } from 'node:crypto'
import type { Clock, Maybe } from '@surehand/core'
import { edgeError } from './edge-error.ts'
import { createEdgeLimit, type EdgeOptions, type EdgeState } from './edge-limit.ts'
import { remoteAddress } from './remote-address.ts'
import type { Visit } from './visit.ts'

/** Whoever shows no credential that holds, counted by where they come from. */
export type Strangers = {
  /**
   * What `lookUp` finds for the credential. Where too many were shown lately that did not hold, nothing is looked up any more:
   * guessing is slow, and costs us next to nothing.
   */
  readonly meet: <T>(
    visit: Visit,
    credential: string | undefined,
    lookUp: (credential: string) => Maybe<T | undefined>,
  ) => Maybe<T | undefined>
}

/** A credential, whether somebody guessed from its address lately, and whether it held while they did. */
type Shown = { readonly credential: string | undefined; readonly isWatched: boolean; readonly isKnown: boolean }

// who held a good credential while others guessed from the same address goes on being served: so many are remembered
const MOST_KNOWN = 10_000

export function createStrangers(options: EdgeOptions, trustedProxies: number, clock: Clock): Strangers {
  const limit = createEdgeLimit(options, clock)
  const known = new Set<string>()

  function remember(digest: string): void {
    known.delete(digest)
    known.add(digest)
    if (known.size > MOST_KNOWN) known.delete(known.values().next().value as string)
  }

  // a stranger counts; whoever is none is remembered where others guess
  function judged<T>(found: T | undefined, visit: Visit, { credential, isWatched, isKnown }: Shown): T | undefined {
    if (found === undefined) {
      const taken = limit.take(remoteAddress(visit, trustedProxies))
      if (taken.isOver) throw tooMany(taken)
      if (isKnown) known.delete(digestOf(credential as string))
    } else if (isWatched && !isKnown) remember(digestOf(credential as string))
    return found
  }

  return {
    meet(visit, credential, lookUp) {
      const state = limit.isUnused() ? undefined : limit.look(remoteAddress(visit, trustedProxies))
      const isKnown = state !== undefined && credential !== undefined && known.has(digestOf(credential))
      if (state?.isOver && !isKnown) throw tooMany(state)
      const shown = { credential, isWatched: state !== undefined, isKnown }
      const found = credential === undefined ? undefined : lookUp(credential)
      return found instanceof Promise ? found.then((settled) => judged(settled, visit, shown)) : judged(found, visit, shown)
    },
  }
}

// the credential itself is kept nowhere
function digestOf(credential: string): string {
  return hash('sha256', credential, 'base64')
}

function tooMany({ limit, resetSeconds }: EdgeState) {
  return edgeError('too_many_requests', 'Too many requests without a valid credential came from your address.', {
    limit,
    retry_after_ms: resetSeconds * 1_000,
  })
}
