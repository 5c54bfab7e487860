import { hash } from 'node:crypto'
import { ToolError } from '@surehand/core'
import type { Clock, Maybe } from '@surehand/core/ports'
import { createEdgeLimit, type EdgeOptions, type EdgeState } from './edge-limit.ts'
import { type Comer, remoteAddress } from './remote-address.ts'

/** Whoever shows no credential that holds, counted by where they come from. Doors of one house share it: guesses at each of them add up. */
export type Strangers = {
  /**
   * What `lookUp` finds for the credential. Where too many were shown lately that did not hold, nothing is looked up any more:
   * guessing is slow, and costs us next to nothing: it throws TOOL_RATE_LIMIT_EXCEEDED.
   */
  readonly meet: <T>(
    comer: Comer,
    credential: string | undefined,
    lookUp: LookUp<T>,
  ) => Maybe<T | undefined>
  /** The same for a door that leaves whoever it does not know to another, which need not look and count again: nothing is thrown. */
  readonly recognize: <T>(
    comer: Comer,
    credential: string,
    lookUp: LookUp<T>,
  ) => Maybe<T | undefined>
}

type LookUp<T> = (credential: string) => Maybe<T | undefined>

/** What a door allows that was told nothing else. */
export const FEW_GUESSES: EdgeOptions = { perSecond: 2, burst: 40 }

/** A credential, what is left to its address if somebody guessed from there lately, and whether it held while they did. */
type Shown = {
  readonly credential: string | undefined
  readonly state: EdgeState | undefined
  readonly isKnown: boolean
}

// who has shown a good credential goes on being served while others guess from the same address: so many are remembered
const MOST_KNOWN = 10_000
// guesses that are looked up at the same time, an address
const MOST_UNDER_WAY = 256
// a request that one door has judged comes to the next in this time
const HANDED_ON = { mostMs: 5_000, most: 1_000 }

export function createStrangers(
  options: EdgeOptions,
  trustedProxies: number,
  clock: Clock,
): Strangers {
  const limit = createEdgeLimit(options, clock)
  const known = new Set<string>()
  const underWay = new Map<string, number>()
  const judgedAt = new Map<string, number>()
  const addressOf = (comer: Comer): string => remoteAddress(comer, trustedProxies)

  function remember(digest: string): void {
    known.delete(digest)
    known.add(digest)
    if (known.size > MOST_KNOWN) known.delete(known.values().next().value as string)
  }

  function shownBy(comer: Comer, credential: string | undefined): Shown {
    const state = limit.isUnused() ? undefined : limit.look(addressOf(comer))
    return {
      credential,
      state,
      isKnown: state !== undefined && credential !== undefined && known.has(digestOf(credential)),
    }
  }

  /** Over what is allowed, or with too many that are not even looked up yet. */
  function overState(comer: Comer, { state, isKnown }: Shown): EdgeState | undefined {
    if (isKnown) return undefined
    if (state?.isOver) return state
    const isCrowd = underWay.size > 0 && (underWay.get(addressOf(comer)) ?? 0) >= MOST_UNDER_WAY
    return isCrowd
      ? { isOver: true, limit: options.burst, remaining: 0, resetSeconds: 1 }
      : undefined
  }

  /** Was it found to be nobody's just now, at the door that left it to this one? */
  function wasJudged(credential: string | undefined): boolean {
    if (credential === undefined || judgedAt.size === 0) return false
    const digest = digestOf(credential)
    const ticks = judgedAt.get(digest)
    judgedAt.delete(digest)
    return ticks !== undefined && clock.ticks() - ticks < HANDED_ON.mostMs
  }

  function count(comer: Comer, { credential, isKnown }: Shown): EdgeState {
    if (isKnown && credential !== undefined) known.delete(digestOf(credential))
    return limit.owe(addressOf(comer))
  }

  /** What the look brought; whoever waits for it is counted while it is under way. */
  function looked<T, R>(comer: Comer, found: Promise<T>, end: (settled: T) => R): Promise<R> {
    const address = addressOf(comer)
    underWay.set(address, (underWay.get(address) ?? 0) + 1)
    return found
      .finally(() => {
        const left = (underWay.get(address) ?? 1) - 1
        if (left > 0) underWay.set(address, left)
        else underWay.delete(address)
      })
      .then(end)
  }

  // found in memory it was looked up a moment ago, and is remembered from then
  function welcomed<T>(found: T, { credential, isKnown }: Shown, from: 'memory' | 'look'): T {
    if (from === 'look' && credential !== undefined && !isKnown) remember(digestOf(credential))
    return found
  }

  return {
    meet(comer, credential, lookUp) {
      const shown = shownBy(comer, credential)
      const over = overState(comer, shown)
      if (over !== undefined) throw tooMany(over)
      if (wasJudged(credential)) return undefined
      const refused = (): undefined => {
        const counted = count(comer, shown)
        if (counted.isOver) throw tooMany(counted)
      }
      const found = credential === undefined ? undefined : lookUp(credential)
      if (!(found instanceof Promise))
        return found === undefined ? refused() : welcomed(found, shown, 'memory')
      return looked(comer, found, (settled) =>
        settled === undefined ? refused() : welcomed(settled, shown, 'look'),
      )
    },
    recognize(comer, credential, lookUp) {
      const shown = shownBy(comer, credential)
      if (overState(comer, shown) !== undefined) return undefined
      const leave = (): undefined => {
        count(comer, shown)
        if (judgedAt.size >= HANDED_ON.most) judgedAt.clear()
        judgedAt.set(digestOf(credential), clock.ticks())
      }
      const found = lookUp(credential)
      if (!(found instanceof Promise))
        return found === undefined ? leave() : welcomed(found, shown, 'memory')
      return looked(comer, found, (settled) =>
        settled === undefined ? leave() : welcomed(settled, shown, 'look'),
      )
    },
  }
}

// the credential itself is kept nowhere
function digestOf(credential: string): string {
  return hash('sha256', credential, 'base64')
}

function tooMany({ limit, resetSeconds }: EdgeState): ToolError {
  return new ToolError(
    'TOOL_RATE_LIMIT_EXCEEDED',
    'Too many requests without a valid credential came from your address.',
    {
      details: { source_code: 'too_many_requests', limit, retry_after_ms: resetSeconds * 1_000 },
    },
  )
}
