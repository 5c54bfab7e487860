import { afterMicrotasks, areSmallPartsWanted, doInTurn } from '@surehand/core/ports'

// What callers do with their results may take so long in one turn of the event loop. Within it, the
// next writes of many callers share a batch, so with small parts fewer do.
const TURN_MS = 1
// As many are handed out at once as lately took callers a quarter of that.
const MOST_AT_ONCE = 16

export type Settlements = {
  /** Hands out results in order, in this turn or in the next ones. */
  readonly add: (settlements: readonly (() => void)[]) => void
  readonly areDone: () => boolean
}

/**
 * Hands out the results of batches in order, and only so many in one turn of the event loop.
 * Otherwise whatever all callers of a large batch do next would be done before another client's
 * request is even read.
 */
export function settleInTurns(onDone: () => void): Settlements {
  let waiting: (() => void)[] = []
  let next = 0
  let atOnce = 1
  /** When results were first handed out in this turn of the event loop. */
  let turnStartedAt: number | undefined

  function startOfTurn(): number {
    if (turnStartedAt !== undefined) return turnStartedAt
    turnStartedAt = performance.now()
    setImmediate(() => {
      turnStartedAt = undefined
    })
    return turnStartedAt
  }

  function settleSome(): void {
    const startedAt = performance.now()
    const end = Math.min(waiting.length, next + atOnce)
    while (next < end) waiting[next++]?.()
    if (next < waiting.length) {
      afterMicrotasks(() => goOn(startedAt))
      return
    }
    waiting = []
    next = 0
    onDone()
  }

  function goOn(startedAt: number): void {
    const now = performance.now()
    atOnce = now - startedAt < TURN_MS / 4 ? Math.min(MOST_AT_ONCE, 2 * atOnce) : 1
    settleInTime(now)
  }

  // Several batches may be answered in one turn: they share its time.
  function settleInTime(now: number): void {
    if (areSmallPartsWanted()) {
      atOnce = 1
      doInTurn(settleSome)
    } else if (now - startOfTurn() < TURN_MS) settleSome()
    else setImmediate(settleSome)
  }

  return {
    add(settlements) {
      const isFirst = waiting.length === 0
      waiting.push(...settlements)
      if (isFirst && waiting.length > 0) settleInTime(performance.now())
    },
    areDone: () => waiting.length === 0,
  }
}
