import type { Approval } from '../call/approval.ts'
import type { CallRow } from '../call/call-row.ts'
import type { Ledger } from './ledger.ts'

type Approvals = Pick<Ledger, 'approval'>

/** The question a waiting row belongs to, while it is open. */
export function findOpenApproval(
  row: CallRow | undefined,
  ledger: Approvals,
): Approval | undefined {
  if (row?.state !== 'waiting' || row.approvalId === undefined) return undefined
  const approval = ledger.approval(row.tenant, row.approvalId)
  return approval?.state === 'pending' ? approval : undefined
}

/** May somebody else have the key? Also when nobody can say yes any more: a question that lapsed must not hold its key for ever. */
export function isKeyFree(row: CallRow, ledger: Approvals): boolean {
  if (row.state === 'waiting') return findOpenApproval(row, ledger) === undefined
  return row.state === 'released' || row.state === 'cancelled'
}
