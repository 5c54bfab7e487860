import { setTimeout as realPause } from 'node:timers/promises'
import { assert } from 'vitest'
import type { FakeClock } from '../fake-clock.ts'

const PATIENCE_MS = 15 * 60_000
const IDLE_TURNS = 25
// Code that is loaded on first use, and turns that let others pass, take real time.
const REAL_PAUSE_MS = 20

/** Waits for a promise, advancing the clock only as far as pending timers need. */
export async function drive<T>(
  promise: Promise<T>,
  clock: FakeClock,
  pause: () => Promise<void>,
): Promise<T> {
  const state = { isDone: false }
  const markDone = (): void => {
    state.isDone = true
  }
  promise.then(markDone, markDone)
  const until = clock.now() + PATIENCE_MS
  for (let idle = 0; idle < IDLE_TURNS && clock.now() < until; ) {
    await pause()
    if (state.isDone) return promise
    const due = clock.nextDue()
    if (due === undefined) {
      if (idle++ > 4) await realPause(REAL_PAUSE_MS)
    } else await clock.advance(Math.max(0, due - clock.now()))
  }
  return assert.fail('the call hangs although nothing is running')
}
