import { isToolError, type ToolError } from '../call/tool-error.ts'
import { sleep } from '../ports/clock.ts'
import type { Call } from './call.ts'
import type { LedgerContext } from './context.ts'

// Waiting callers must not slow down the call they wait for: the longer they wait, the less often
// they poll.
const POLL_MS = { first: 20, most: 500 }

/**
 * Waits before a caller polls a key that is being worked on again, and returns true.
 * False when the caller does not want to wait, or its deadline would pass.
 */
export async function pollDelay(call: Call, context: LedgerContext): Promise<boolean> {
  const waitedMs = context.clock.ticks() - call.startedTicks
  const pauseMs = Math.max(
    POLL_MS.first,
    Math.min(POLL_MS.most, (waitedMs / 2) * (0.5 + context.entropy.random())),
  )
  if (call.whenRunning !== 'wait' || context.clock.ticks() + pauseMs >= call.deadlineTicks)
    return false
  await sleep(context.clock, pauseMs, call.signal)
  return true
}

type StillRunning = { readonly kind: 'running'; readonly error: ToolError }

/**
 * Tries a database transaction that another call with the same key may be inside of: there is no
 * committed row to poll yet. Returns `running` instead of throwing, because the contract's retries
 * would count an error as a failure.
 */
export async function retryWhileRunning<T>(
  call: Call,
  context: LedgerContext,
  once: () => Promise<T>,
): Promise<T | StillRunning> {
  for (;;) {
    try {
      return await once()
    } catch (thrown) {
      if (!isToolError(thrown) || thrown.code !== 'TOOL_ALREADY_RUNNING') throw thrown
      if (!(await pollDelay(call, context))) return { kind: 'running', error: thrown }
    }
  }
}
