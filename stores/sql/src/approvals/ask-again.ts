import type { Approval, AuditRecord, Fence, NewApproval } from '@surehand/core/ports'
import { insertRecord } from '../audit/record-row.ts'
import { OURS, ours } from '../calls/fenced.ts'
import { defineStep, type Sql } from '../step.ts'
import { approvalById, insertApproval } from './approval-row.ts'

export type AskingAgain = {
  readonly fence: Fence
  readonly question: NewApproval
  readonly replaces: string
  readonly audit: AuditRecord
}

// The call is locked first and then its approval, as a decision and a claim do.
const WAIT = `update calls set state = 'waiting', approval_id = ?, lease_until = null, effect_port = null, effect_method = null,
  effect_args_hash = null, effect_started_at = null, effect_last_started_at = null, updated_at = {now} where ${OURS}`

/**
 * One transaction: the claimed call waits for a new request, and the approval that the claim used
 * up says why nothing was done with it.
 */
export const askAgainStep = defineStep(
  'approvals.askAgain',
  { mode: 'durable', statements: 'many' },
  askAgain,
)

async function askAgain(
  sql: Sql,
  { fence, question, replaces, audit }: AskingAgain,
): Promise<Approval | undefined> {
  if ((await sql.run(WAIT, question.id, ...ours(fence))) === 0) return undefined
  const asked = insertApproval(question)
  await sql.run(asked.text, ...asked.values)
  const recorded = insertRecord(audit)
  await sql.run(recorded.text, ...recorded.values)
  const used = await approvalById(sql, fence.tenant, replaces, '{lock}')
  if (used?.approval.decision !== undefined) {
    const voided = { reason: 'facts_changed', replacedBy: question.id, at: used.readAt }
    await sql.run(
      'update approvals set decision = ? where id = ?',
      JSON.stringify({ ...used.approval.decision, voided }),
      replaces,
    )
  }
  return (await approvalById(sql, fence.tenant, question.id))?.approval
}
