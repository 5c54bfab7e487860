import type { ApprovalStore } from '@surehand/core/ports'
import { toRecord } from '../audit/record-row.ts'
import type { Database } from '../database.ts'
import type { Sealing } from '../sealing.ts'
import { askStep } from './ask.ts'
import { decideStep, replaceStep } from './decide.ts'
import { getApproval, listApprovals } from './looks.ts'

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
      database.step(decideStep, { tenant, id, decision, audit: toRecord(audit) }),
    replace: (tenant, id, { question, call, audit }) =>
      database.step(replaceStep, {
        tenant,
        id,
        question,
        call: sealing.call(call),
        audit: toRecord(audit),
      }),
  }
}
