import type { CallRow } from '../call/call-row.ts'
import type { Caller } from '../call/caller.ts'
import { auditEntryBy } from '../ports/audit-entry-by.ts'
import type { LedgerContext } from './context.ts'
import { findVisibleCall } from './fetch-answer.ts'

/**
 * Cancels a waiting or queued call of this caller. A call that has started is asked to stop
 * instead: it stops if it has not reached its effect yet, and a run compensates its steps.
 */
export async function cancelCall(
  caller: Caller,
  callId: string,
  context: LedgerContext,
): Promise<'cancelled' | 'stopping' | 'not found'> {
  const row = await findVisibleCall(caller, callId, context)
  if (row === undefined || row.principal !== caller.principal) return 'not found'
  const isCancelled = await context.stores.calls.cancel(caller.tenant, callId)
  if (!isCancelled) {
    // The process that executes it may be on another node; `watchForStop` notices the mark there
    // within about a second.
    await context.stores.runs.askToStop(caller.tenant, callId)
    context.abortControllers.get(callId)?.abort()
    return 'stopping'
  }
  const now = context.clock.now()
  const entry = auditEntryBy(
    caller,
    { id: context.entropy.newId('aud', now), now },
    {
      phase: 'decision',
      call_id: callId,
      request_id: row.requestId,
      tool_name: row.toolId,
      tool_version: row.toolVersion,
      success: true,
      outcome: 'cancelled',
    },
  )
  await context.stores.audit.append(entry, 'before-answer')
  return 'cancelled'
}

const WATCH_EVERY_MS = 1_000

/**
 * Polls whether a cancellation was requested for a call, possibly on another node, and calls
 * `onStop` once.
 */
export function watchForStop(
  { tenant, callId }: CallRow,
  context: LedgerContext,
  onStop: () => void,
): { readonly stop: () => void } {
  let cancel = schedule()
  let isOver = false

  function schedule(): () => void {
    return context.clock.after(WATCH_EVERY_MS, () => void poll())
  }

  async function poll(): Promise<void> {
    const isToStop = await isStopRequested()
    if (isOver) return
    if (isToStop) onStop()
    else cancel = schedule()
  }

  // A store that cannot be reached is asked again at the next poll.
  async function isStopRequested(): Promise<boolean> {
    try {
      return await context.stores.calls.isToStop(tenant, callId)
    } catch {
      return false
    }
  }

  return {
    stop() {
      isOver = true
      cancel()
    },
  }
}
