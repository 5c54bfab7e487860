import type {
  Approval,
  AuditRecord,
  Decided,
  Decision,
  Delegation,
  NewApproval,
  NewCall,
} from '@surehand/core/ports'
import { insertRecord } from '../audit/record-row.ts'
import { rewriteCall } from '../calls/call-row.ts'
import { wake } from '../calls/wake.ts'
import { defineStep, type Sql, type Statement } from '../step.ts'
import { approvalById, insertApproval, type ReadApproval } from './approval-row.ts'

export type Deciding = {
  readonly tenant: string
  readonly id: string
  readonly decision: Omit<Decision, 'at'>
  readonly audit: AuditRecord
}

/**
 * One transaction: the decision with its record and, when approved, the call's move to the queue
 * with its wake-up.
 */
export const decideStep = defineStep(
  'approvals.decide',
  { mode: 'durable', statements: 'many' },
  decide,
)

async function decide(sql: Sql, { tenant, id, decision, audit }: Deciding): Promise<Decided> {
  const found = await lockedApproval(sql, tenant, id)
  if (found === undefined) return { kind: 'missing' }
  if (found.state !== 'pending') return { kind: 'closed', approval: found.approval }
  const pending = found.approval
  const state = decision.verdict === 'approve' ? 'approved' : 'denied'
  // A denial applies for as long again as the request was open.
  const expiresAt =
    state === 'denied' ? found.readAt + (pending.expiresAt - pending.createdAt) : pending.expiresAt
  const decided: Approval = {
    ...pending,
    state,
    expiresAt,
    decision: { ...decision, at: found.readAt },
  }
  await sql.run(
    'update approvals set state = ?, expires_at = ?, decision = ? where id = ?',
    state,
    expiresAt,
    JSON.stringify(decided.decision),
    id,
  )
  await write(sql, insertRecord(audit))
  await carryOn(sql, decided)
  return { kind: 'decided', approval: decided }
}

// An approval does not revive a call that was cancelled meanwhile.
async function carryOn(sql: Sql, { state, tenant, callId, id }: Approval): Promise<void> {
  const next = state === 'approved' ? 'queued' : 'cancelled'
  const called = await sql.get(
    `update calls set state = ?, input = case when ? = 'queued' then input else '' end, updated_at = {now}
      where call_id = ? and tenant = ? and state = 'waiting' and approval_id = ? returning parent_id`,
    next,
    next,
    callId,
    tenant,
    id,
  )
  if (called === undefined) return
  if (next === 'queued') await sql.enqueue({ tenant, callId }, 0)
  else if (typeof called.parent_id === 'string')
    await wake(sql, { tenant, callId: called.parent_id })
}

// Only a call that waits: one that runs may hold its row for long, and its request is closed
// anyway.
const LOCK_CALL = `select call_id from calls where state = 'waiting' and tenant = ?
  and call_id = (select call_id from approvals where id = ? and tenant = ?) {lock}`

/**
 * Locks the call first and then its request, as a cancellation and a claim do; different orders
 * would deadlock.
 */
async function lockedApproval(
  sql: Sql,
  tenant: string,
  id: string,
): Promise<ReadApproval | undefined> {
  await sql.get(LOCK_CALL, tenant, id, tenant)
  return approvalById(sql, tenant, id, '{lock}')
}

export type Delegating = {
  readonly tenant: string
  readonly id: string
  readonly delegation: Omit<Delegation, 'at'>
  readonly audit: AuditRecord
}

/** One transaction: whom a pending request was delegated to, with its record. */
export const delegateStep = defineStep(
  'approvals.delegate',
  { mode: 'durable', statements: 'many' },
  async (sql: Sql, { tenant, id, delegation, audit }: Delegating): Promise<Decided> => {
    const found = await lockedApproval(sql, tenant, id)
    if (found === undefined) return { kind: 'missing' }
    if (found.state !== 'pending') return { kind: 'closed', approval: found.approval }
    const { to, by } = delegation
    await sql.run(
      'update approvals set delegate = ?, delegated_by = ?, delegated_at = ? where id = ?',
      to,
      by,
      found.readAt,
      id,
    )
    await write(sql, insertRecord(audit))
    return {
      kind: 'decided',
      approval: { ...found.approval, delegation: { to, by, at: found.readAt } },
    }
  },
)

export type Replacing = {
  readonly tenant: string
  readonly id: string
  readonly question: NewApproval
  readonly call: NewCall
  readonly audit: AuditRecord
}

/** One transaction: closes the old request and creates the edited one in its row. */
export const replaceStep = defineStep(
  'approvals.replace',
  { mode: 'durable', statements: 'many' },
  replace,
)

async function replace(
  sql: Sql,
  { tenant, id, question, call, audit }: Replacing,
): Promise<Decided> {
  const found = await lockedApproval(sql, tenant, id)
  if (found === undefined) return { kind: 'missing' }
  if (found.state !== 'pending') return { kind: 'closed', approval: found.approval }
  await sql.run("update approvals set state = 'replaced' where id = ?", id)
  await write(sql, insertApproval(question))
  await write(sql, rewriteCall(call, question.id))
  await write(sql, insertRecord(audit))
  return {
    kind: 'decided',
    approval: (await approvalById(sql, tenant, question.id))?.approval as Approval,
  }
}

async function write(sql: Sql, { text, values }: Statement): Promise<void> {
  await sql.run(text, ...values)
}
