import type { Caller } from '../call/caller.ts'
import { auditEntryBy } from '../ports/audit-entry-by.ts'
import type { PipelineContext } from './parts.ts'

/**
 * Cancels what waits or is queued, for whoever called it; false when it has begun or ended.
 * What has begun hears it, and stops where it has not come to its effect; a run takes back what it declares it can.
 */
export async function cancelCall(
  caller: Caller,
  callId: string,
  parts: PipelineContext,
): Promise<'cancelled' | 'told' | 'not yours'> {
  const row = await parts.stores.calls.get(caller.tenant, callId)
  if (row === undefined || row.principal !== caller.principal) return 'not yours'
  const isCancelled = await parts.stores.calls.cancel(caller.tenant, callId)
  if (!isCancelled) {
    // also on another node: whoever drives it hears it within a second or so
    await parts.stores.runs.askToStop(caller.tenant, callId)
    parts.driven.get(callId)?.abort()
    return 'told'
  }
  const now = parts.clock.now()
  const told = {
    phase: 'decision',
    call_id: callId,
    request_id: row.requestId,
    tool_name: row.toolId,
    tool_version: row.toolVersion,
    success: true,
    outcome: 'cancelled',
  } as const
  await parts.stores.audit.append(
    auditEntryBy(caller, { id: parts.entropy.newId('aud', now), now }, told),
    'before-answer',
  )
  return 'cancelled'
}
