import { randomInt } from 'node:crypto'
import type { DatabaseSync } from 'node:sqlite'
import type { Maybe } from '@surehand/core/ports'
import { busyError, isBusy, MAX_WAIT_MS, retryWhileBusy } from './retry-while-busy.ts'

/** The file's one write lock, for which the processes that use the file compete. */
export type WriteLock = {
  readonly beginTransaction: () => Maybe<void>
  /** Must be called after each transaction, so that other processes get their turn. */
  readonly transactionEnded: () => void
  /** Runs work that fails while another process holds the lock, as soon as it is free. */
  readonly runWhenFree: (work: () => void) => Maybe<void>
}

// How often a waiting process tries, in microseconds. The pause after a commit is longer, so that
// a waiting process finds the lock free.
const RETRY_US = { least: 50, most: 250 }
const PAUSE_MS = 0.5
// After a long wait the lock is probably held for long, and each attempt costs CPU time.
const SLOW_AFTER_MS = 200
const SLOW_FACTOR = 8
// For how long after meeting another process the pause is kept.
const CONTENTION_MS = 1_000

/**
 * Waits for the lock by blocking the thread; only for the writer's own thread. SQLite does not show
 * who is waiting, so a process that has recently met another one pauses after each commit. Without
 * the pause the process that has just written always wins, and the other one starves.
 */
export function blockingWriteLock(database: DatabaseSync): WriteLock {
  const beginning = database.prepare('BEGIN IMMEDIATE')
  let metAt = Number.NEGATIVE_INFINITY
  let endedAt = Number.NEGATIVE_INFINITY

  function tryWork(work: () => void): boolean {
    try {
      work()
      return true
    } catch (thrown) {
      if (!isBusy(thrown)) throw thrown
      metAt = performance.now()
      return false
    }
  }

  function runWhenFree(work: () => void): void {
    const startedAt = performance.now()
    while (!tryWork(work)) {
      const waitedMs = performance.now() - startedAt
      if (waitedMs > MAX_WAIT_MS) throw busyError()
      const retryMs = randomInt(RETRY_US.least, RETRY_US.most) / 1_000
      blockFor(retryMs * (waitedMs > SLOW_AFTER_MS ? SLOW_FACTOR : 1))
    }
  }

  return {
    beginTransaction() {
      const now = performance.now()
      if (now - metAt < CONTENTION_MS) blockFor(PAUSE_MS - (now - endedAt))
      runWhenFree(() => beginning.run())
    },
    transactionEnded() {
      endedAt = performance.now()
    },
    runWhenFree,
  }
}

/**
 * Waits without blocking: for a writer on a thread whose timers and deadlines must keep working.
 */
export function asyncWriteLock(database: DatabaseSync): WriteLock {
  const beginning = database.prepare('BEGIN IMMEDIATE')
  return {
    beginTransaction: () => retryWhileBusy(() => void beginning.run()),
    transactionEnded: () => undefined,
    runWhenFree: retryWhileBusy,
  }
}

const neverNotified = new Int32Array(new SharedArrayBuffer(4))

// Atomics.wait, because timers count in whole milliseconds and a commit takes less than one.
function blockFor(milliseconds: number): void {
  if (milliseconds > 0) Atomics.wait(neverNotified, 0, 0, milliseconds)
}
