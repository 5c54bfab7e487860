import type { ApprovalFilter, ApprovalState, ApprovalStore } from '@surehand/core/ports'
import type { Database } from '../database.ts'
import { waitingMarkStep } from '../list-statement.ts'
import type { Sealing } from '../sealing.ts'
import { defineStep } from '../step.ts'
import { approvalById, approvalsOfTenant } from './approval-row.ts'
import { askStep } from './ask.ts'
import { askAgainStep } from './ask-again.ts'
import { decideStep, delegateStep, replaceStep } from './decide.ts'

/** Approval requests and decisions; each method is one transaction. */
export function sqlApprovals(database: Database, sealing: Sealing): ApprovalStore {
  return {
    async ask(question, call) {
      const asked = await database.step(askStep, { question, call: sealing.call(call) })
      return asked.kind === 'held' ? { kind: 'held', row: sealing.row(asked.row) } : asked
    },
    get: (tenant, id) => database.step(getApproval, { tenant, id }),
    list: (tenant, state, filter = {}) => database.step(listApprovals, { tenant, state, filter }),
    decide: (tenant, id, decision, audit) =>
      database.step(decideStep, { tenant, id, decision, audit: sealing.record(audit) }),
    replace: (tenant, id, { question, call, audit }) =>
      database.step(replaceStep, {
        tenant,
        id,
        question,
        call: sealing.call(call),
        audit: sealing.record(audit),
      }),
    delegate: (tenant, id, delegation, audit) =>
      database.step(delegateStep, { tenant, id, delegation, audit: sealing.record(audit) }),
    waitingMark: (tenant, principal) => database.step(markApprovals, { tenant, principal }),
    askAgain: (fence, { question, replaces, audit }) =>
      database.step(askAgainStep, { fence, question, replaces, audit: sealing.record(audit) }),
  }
}

export const getApproval = defineStep(
  'approvals.get',
  { mode: 'read', statements: 'one' },
  async (sql, { tenant, id }: { readonly tenant: string; readonly id: string }) =>
    (await approvalById(sql, tenant, id))?.approval,
)

export const markApprovals = waitingMarkStep('approvals')

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
