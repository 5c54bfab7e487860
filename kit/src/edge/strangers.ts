import { hash } from 'node:crypto'
import { type Clock, type Maybe, ToolError } from '@surehand/core'
import { createEdgeLimit, type EdgeOptions, type EdgeState } from './edge-limit.ts'
import { type Comer, remoteAddress } from './remote-address.ts'

/** Whoever shows no credential that holds, counted by where they come from. Doors of one house share it: guesses at each of them add up. */
export type Strangers = {
  /**
   * What `lookUp` finds for the credential. Where too many were shown lately that did not hold, nothing is looked up any more:
   * guessing is slow, and costs us next to nothing: it throws TOOL_RATE_LIMIT_EXCEEDED.
   */
  readonly meet: <T>(comer: Comer, credential: string | undefined, lookUp: LookUp<T>) => Maybe<T | undefined>
  /** The same for a door that leaves whoever it does not know to another: nothing is counted, and nothing thrown. */
  readonly recognize: <T>(comer: Comer, credential: string, lookUp: LookUp<T>) => Maybe<T | undefined>
}

type LookUp<T> = (credential: string) => Maybe<T | undefined>

/** What a door allows that was told nothing else. */
export const FEW_GUESSES: EdgeOptions = { perSecond: 2, burst: 40 }

/** A credential, what is left to its address if somebody guessed from there lately, and whether it held while they did. */
type Shown = { readonly credential: string | undefined; readonly state: EdgeState | undefined; readonly isKnown: boolean }

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

  function shownBy(comer: Comer, credential: string | undefined): Shown {
    const state = limit.isUnused() ? undefined : limit.look(remoteAddress(comer, trustedProxies))
    return { credential, state, isKnown: state !== undefined && credential !== undefined && known.has(digestOf(credential)) }
  }

  // whoever is no stranger is remembered where others guess
  function recognized<T>(found: T | undefined, { credential, state, isKnown }: Shown): T | undefined {
    if (found !== undefined && credential !== undefined && state !== undefined && !isKnown) remember(digestOf(credential))
    return found
  }

  // a stranger counts
  function judged<T>(found: T | undefined, comer: Comer, shown: Shown): T | undefined {
    if (found !== undefined) return recognized(found, shown)
    const taken = limit.take(remoteAddress(comer, trustedProxies))
    if (taken.isOver) throw tooMany(taken)
    if (shown.isKnown && shown.credential !== undefined) known.delete(digestOf(shown.credential))
    return undefined
  }

  return {
    meet(comer, credential, lookUp) {
      const shown = shownBy(comer, credential)
      if (shown.state?.isOver && !shown.isKnown) throw tooMany(shown.state)
      const found = credential === undefined ? undefined : lookUp(credential)
      return found instanceof Promise ? found.then((settled) => judged(settled, comer, shown)) : judged(found, comer, shown)
    },
    recognize(comer, credential, lookUp) {
      const shown = shownBy(comer, credential)
      if (shown.state?.isOver && !shown.isKnown) return undefined
      const found = lookUp(credential)
      return found instanceof Promise ? found.then((settled) => recognized(settled, shown)) : recognized(found, shown)
    },
  }
}

// the credential itself is kept nowhere
function digestOf(credential: string): string {
  return hash('sha256', credential, 'base64')
}

function tooMany({ limit, resetSeconds }: EdgeState): ToolError {
  return new ToolError('TOOL_RATE_LIMIT_EXCEEDED', 'Too many requests without a valid credential came from your address.', {
    details: { source_code: 'too_many_requests', limit, retry_after_ms: resetSeconds * 1_000 },
  })
}
