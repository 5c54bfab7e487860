import type { Approval, Asked, NewApproval, NewCall } from '@surehand/core/ports'
import { byKey } from '../calls/call-row.ts'
import { isFree } from '../calls/free-key.ts'
import { place, wishName } from '../calls/place.ts'
import { defineStep, type Sql } from '../step.ts'
import { approvalById, approvalsOfWish, insertApproval } from './approval-row.ts'

export type Asking = { readonly question: NewApproval; readonly call: NewCall }

/**
 * One transaction: returns the same pending request or a denial that still applies, or reserves a
 * row and creates a request.
 */
export const askStep = defineStep('approvals.ask', { mode: 'durable', statements: 'many' }, ask)

async function ask(sql: Sql, { question, call }: Asking): Promise<Asked> {
  // Two calls with the same input are served one after another: otherwise each would find no
  // request and create one.
  await sql.lock(wishName(call))
  const [denial] = await approvalsOfWish(sql, call, 'denied')
  if (denial !== undefined) return { kind: 'denied', approval: denial.approval }
  const existing = await byKey(sql, call, '{lock}')
  const open =
    existing?.state === 'waiting'
      ? await openQuestion(sql, call.tenant, existing.approvalId)
      : undefined
  if (
    open !== undefined &&
    open.inputHash === call.inputHash &&
    open.definitionHash === call.definitionHash
  )
    return { kind: 'pending', approval: open }
  if (existing !== undefined && !(await isFree(sql, existing)))
    return { kind: 'held', row: existing }
  if (call.keySource === 'fresh') {
    const same = (await approvalsOfWish(sql, call, 'pending')).find(
      ({ approval }) => approval.definitionHash === call.definitionHash,
    )
    if (same !== undefined) return { kind: 'pending', approval: same.approval }
  }
  const placed = await place(sql, {
    call,
    start: { state: 'waiting', leaseMs: undefined, approvalId: question.id },
  })
  if (placed.kind === 'outdated') throw new TypeError('A question compares no version.')
  if (placed.kind !== 'placed') return { kind: 'held', row: placed.row }
  const { text, values } = insertApproval(question)
  await sql.run(text, ...values)
  return {
    kind: 'asked',
    approval: (await approvalById(sql, call.tenant, question.id))?.approval as Approval,
  }
}

async function openQuestion(
  sql: Sql,
  tenant: string,
  id: string | undefined,
): Promise<Approval | undefined> {
  const found = id === undefined ? undefined : await approvalById(sql, tenant, id)
  return found?.state === 'pending' ? found.approval : undefined
}
