import type { CallRow } from '../call/call-row.ts'
import type { Clock } from '../ports/clock.ts'
import type { JobStore } from '../ports/jobs.ts'
import type { Ledger } from './ledger.ts'

type WakeParts = { readonly ledger: Ledger; readonly jobs: JobStore; readonly clock: Clock }

/** Puts a parked run back on the list; what is not parked is left alone. */
export function wake(row: CallRow | undefined, { ledger, jobs, clock }: WakeParts): void {
  if (row?.state !== 'parked') return
  ledger.notes.wakeAt.delete(row.callId)
  ledger.put({ ...row, state: 'queued', updatedAt: clock.now() })
  void jobs.enqueue({ tenant: row.tenant, callId: row.callId }, 0)
}

/** A step has come to its end: the run that waits for it goes on. */
export function enqueueParent(row: CallRow, parts: WakeParts): void {
  if (row.parentId !== undefined) wake(parts.ledger.byCall(row.tenant, row.parentId), parts)
}
