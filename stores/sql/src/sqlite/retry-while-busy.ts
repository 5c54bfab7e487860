import { randomInt } from 'node:crypto'
import { promises as timers } from 'node:timers'
import { ToolError } from '@surehand/core/worker-entry'
import { isDriverError } from './serialized-error.ts'

/** How long another process may hold the file before a write or read fails. */
export const MAX_WAIT_MS = 10_000
const RETRY_MS = { least: 1, most: 6 }

const SQLITE_BUSY = 5
const SQLITE_PROTOCOL = 15

/** Repeats the work for as long as another process holds the file, without blocking this thread. */
export async function retryWhileBusy<T>(work: () => T | Promise<T>): Promise<T> {
  const startedAt = performance.now()
  for (;;) {
    try {
      return await work()
    } catch (thrown) {
      if (!isBusy(thrown)) throw thrown
      if (performance.now() - startedAt > MAX_WAIT_MS) throw busyError()
    }
    await timers.setTimeout(randomInt(RETRY_MS.least, RETRY_MS.most))
  }
}

export function isBusy(thrown: unknown): boolean {
  if (!isDriverError(thrown)) return false
  const code = thrown.errcode & 0xff
  return code === SQLITE_BUSY || code === SQLITE_PROTOCOL
}

export function busyError(): ToolError {
  return new ToolError(
    'TOOL_STORAGE_ERROR',
    'Another process has locked the database for more than 10 seconds. Nothing was written; try again.',
    { effect: 'none' },
  )
}
