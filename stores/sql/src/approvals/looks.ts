import type { ApprovalFilter, ApprovalState } from '@surehand/core/ports'
import { defineStep } from '../step.ts'
import { approvalById, approvalsOfTenant } from './approval-row.ts'

export const getApproval = defineStep(
  'approvals.get',
  { mode: 'read', statements: 'one' },
  async (sql, { tenant, id }: { readonly tenant: string; readonly id: string }) =>
    (await approvalById(sql, tenant, id))?.approval,
)

type ListedApprovals = {
  readonly tenant: string
  readonly state: ApprovalState | undefined
  readonly filter: ApprovalFilter
}

export const listApprovals = defineStep(
  'approvals.list',
  { mode: 'read', statements: 'one' },
  async (sql, { tenant, state, filter }: ListedApprovals) =>
    (await approvalsOfTenant(sql, tenant, state, filter)).map(({ approval }) => approval),
)
