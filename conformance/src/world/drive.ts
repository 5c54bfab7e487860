import { assert } from 'vitest'
import type { FakeClock } from '../fake-clock.ts'

const PATIENCE_MS = 15 * 60_000
const IDLE_TURNS = 25

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
    if (due === undefined) idle++
    else await clock.advance(Math.max(0, due - clock.now()))
  }
  return assert.fail('the call hangs although nothing is running')
}
