import { ToolError } from '../call/tool-error.ts'
import type { Call } from './call.ts'
import type { LedgerContext } from './context.ts'

/**
 * Waits for work that has no time limit of its own, until the call's deadline and while its caller
 * is connected.
 */
export function withDeadline<T>(call: Call, context: LedgerContext, work: Promise<T>): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const { signal } = call
    const leftMs = Math.max(0, call.deadlineTicks - context.clock.ticks())
    const stopTimer = context.clock.after(leftMs, () =>
      end(() => reject(timeoutError(call, leftMs))),
    )
    const onAbort = (): void => end(() => reject(cancelledError(call)))
    function end(settle: () => void): void {
      stopTimer()
      signal?.removeEventListener('abort', onAbort)
      settle()
    }
    signal?.addEventListener('abort', onAbort, { once: true })
    if (signal?.aborted) onAbort()
    work.then(
      (value) => end(() => resolve(value)),
      (thrown) => end(() => reject(thrown)),
    )
  })
}

type StorePatience = {
  /** The error when the deadline passes. */
  readonly late?: () => unknown
  /** For what is written at the deadline: how the call ended. */
  readonly leastMs?: number
  /** For work that keeps the deadline where it waits for anything but the store. */
  readonly graceMs?: number
}

/** How long the ending of a call that took all of its time may be written; a disk is faster. */
export const ENDING_MS = 1_000

/**
 * Waits for the store until the call's deadline: a store that is held must not hold its callers.
 * The write goes on, so `late` says what becomes of it. A call that a worker or a run continues has
 * no caller that waits.
 */
export function awaitStore<T>(
  call: Call,
  context: LedgerContext,
  work: Promise<T>,
  { late = () => storeTooSlow(call), leastMs = 0, graceMs = 0 }: StorePatience = {},
): Promise<T> {
  if (call.resumes !== undefined || call.parentId !== undefined) return work
  return new Promise<T>((resolve, reject) => {
    const leftMs = Math.max(leastMs, call.deadlineTicks - context.clock.ticks()) + graceMs
    const stopTimer = context.clock.after(leftMs, () => reject(late()))
    work.then(
      (value) => {
        stopTimer()
        resolve(value)
      },
      (thrown) => {
        stopTimer()
        reject(thrown)
      },
    )
  })
}

/** What was asked of the store may still be written; the pipeline knows what that means. */
export function storeTooSlow(call: Call): ToolError {
  const ms = Math.round(call.deadlineTicks - call.startedTicks)
  return new ToolError(
    'TOOL_STORAGE_ERROR',
    `The database did not answer ${call.tool.id} within ${ms} ms.`,
    { details: { timeout_ms: ms } },
  )
}

export function timeoutError(call: Call, limitMs: number): ToolError {
  const ms = Math.round(limitMs)
  return new ToolError(
    'TOOL_EXECUTION_TIMEOUT',
    `${call.tool.id} did not finish within ${ms} ms.`,
    { details: { timeout_ms: ms } },
  )
}

export function cancelledError(call: Call): ToolError {
  return new ToolError('TOOL_CANCELLED', `${call.tool.id} was cancelled before anything happened.`)
}
