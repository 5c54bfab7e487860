import { randomInt } from 'node:crypto'
import type { DatabaseSync } from 'node:sqlite'
import type { Maybe } from '@surehand/core/ports'
import { ToolError } from '@surehand/core/worker-entry'
import { isDriverError } from './told-error.ts'

/** The right to write, which the processes on one file share. */
export type WriteTurn = {
  readonly begin: () => Maybe<void>
  /** The transaction is over: others may want it. */
  readonly ended: () => void
  /** Does it as soon as nobody holds the file. */
  readonly whenFree: (work: () => void) => Maybe<void>
}

/** How long somebody else may hold the file. */
export const PATIENCE_MS = 10_000
// how often one who waits looks; the pause is longer, so that whoever waits finds the door open
const LOOK_US = { least: 50, most: 250 }
const PAUSE_MS = 0.5
// seldom looks after a long wait: somebody holds the file, and looking costs
const SELDOM_AFTER_MS = 200
const SELDOM_FACTOR = 8
// how long a crowd is remembered
const CROWD_MS = 1_000

const BUSY = 5
const PROTOCOL = 15

/**
 * Takes the file's one write lock. Who waits can't be seen: so whoever has met another lately leaves the door open
 * for a moment after each commit. Without it the one who just wrote is always first, and the other starves.
 * Runs in the writer's thread, which has nothing else to do than wait.
 */
export function writeTurn(database: DatabaseSync): WriteTurn {
  const beginning = database.prepare('BEGIN IMMEDIATE')
  let metAt = Number.NEGATIVE_INFINITY
  let endedAt = Number.NEGATIVE_INFINITY

  function isDone(work: () => void): boolean {
    try {
      work()
      return true
    } catch (thrown) {
      if (!isBusy(thrown)) throw thrown
      metAt = performance.now()
      return false
    }
  }

  function whenFree(work: () => void): void {
    const startedAt = performance.now()
    while (!isDone(work)) {
      const waitedMs = performance.now() - startedAt
      if (waitedMs > PATIENCE_MS) throw busyForTooLong()
      wait(
        (randomInt(LOOK_US.least, LOOK_US.most) / 1_000) *
          (waitedMs > SELDOM_AFTER_MS ? SELDOM_FACTOR : 1),
      )
    }
  }

  return {
    begin() {
      const now = performance.now()
      if (now - metAt < CROWD_MS) wait(PAUSE_MS - (now - endedAt))
      whenFree(() => beginning.run())
    },
    ended() {
      endedAt = performance.now()
    },
    whenFree,
  }
}

export function isBusy(thrown: unknown): boolean {
  if (!isDriverError(thrown)) return false
  const code = thrown.errcode & 0xff
  return code === BUSY || code === PROTOCOL
}

export function busyForTooLong(): ToolError {
  return new ToolError(
    'TOOL_STORAGE_ERROR',
    'The database is held by somebody else for more than 10 seconds.',
    { effect: 'none' },
  )
}

const nobody = new Int32Array(new SharedArrayBuffer(4))

// timers count in whole milliseconds, a commit takes less
function wait(forMs: number): void {
  if (forMs > 0) Atomics.wait(nobody, 0, 0, forMs)
}
