import { randomInt } from 'node:crypto'
import { promises as timers } from 'node:timers'
import { busyForTooLong, isBusy, PATIENCE_MS } from './write-turn.ts'

const LOOK_MS = { least: 1, most: 6 }

/** Does it again for as long as somebody else holds the file, without holding up this thread. */
export async function patiently<T>(work: () => T | Promise<T>): Promise<T> {
  const startedAt = performance.now()
  for (;;) {
    try {
      return await work()
    } catch (thrown) {
      if (!isBusy(thrown)) throw thrown
      if (performance.now() - startedAt > PATIENCE_MS) throw busyForTooLong()
    }
    await timers.setTimeout(randomInt(LOOK_MS.least, LOOK_MS.most))
  }
}
