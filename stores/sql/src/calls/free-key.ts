import type { CallRow } from '@surehand/core/ports'
import { approvalById } from '../approvals/approval-row.ts'
import type { Sql } from '../step.ts'

/**
 * Whether another call may have the key. Also true when the approval request has expired, which
 * must not hold its key for ever.
 */
export async function isFree(sql: Sql, row: CallRow): Promise<boolean> {
  if (row.state !== 'waiting') return row.state === 'released' || row.state === 'cancelled'
  const question =
    row.approvalId === undefined ? undefined : await approvalById(sql, row.tenant, row.approvalId)
  return question?.state !== 'pending'
}
