import type { Clock } from '@surehand/core/ports'
import { createFairTurns, createLoopTurns } from './fair-turns.ts'

/** Refusals that are sent later than they were decided, so that asking again at once gains nothing. */
export type HeldRefusals = {
  /** Resolves when the refusal of this name may be sent. */
  readonly hold: (name: string) => Promise<void>
}

const PER_SECOND = 200
// Of one name; a client that opens ever new connections is refused at once beyond it, so that what
// waits here does not grow without limit.
const MAX_HELD = 1_000

/**
 * Sends so many refusals a second in this process, the names in turn. A client that repeats a
 * refused request as fast as it is answered would otherwise occupy the server with its refusals
 * alone. The first ones are not delayed, but each is sent in a round of the event loop of its own:
 * another client's request is read between two.
 */
export function createHeldRefusals(clock: Clock): HeldRefusals {
  const turns = createFairTurns(PER_SECOND, clock)
  const rounds = createLoopTurns()
  const held = new Map<string, number>()
  return {
    async hold(name) {
      const before = held.get(name) ?? 0
      if (before >= MAX_HELD) return
      held.set(name, before + 1)
      await turns.next(name)
      await rounds.next(name)
      const left = (held.get(name) ?? 1) - 1
      if (left > 0) held.set(name, left)
      else held.delete(name)
    },
  }
}
