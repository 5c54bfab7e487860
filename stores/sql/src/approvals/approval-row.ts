import type { Row } from '@surehand/core/internal'
import type { Approval, ApprovalFilter, Decision, NewApproval, NewCall } from '@surehand/core/ports'
import type { Sql, Statement } from '../step.ts'

// Expiry is computed when a row is read; no process marks a request as expired.
const STATE =
  "case when state in ('pending', 'approved', 'denied') and expires_at <= {now} then 'expired' else state end"

const SELECT = `select id, tenant, principal, tool_id, tool_version, definition_hash, input_hash, call_id, kind, reversible, asks, shown,
  digest, edited_by, ${STATE} as state, created_at, expires_at, decision, {now} as read_at from approvals`

export async function approvalById(
  sql: Sql,
  tenant: string,
  id: string,
  lock: '' | '{lock}' = '',
): Promise<ReadApproval | undefined> {
  const row = await sql.get(`${SELECT} where id = ? and tenant = ? ${lock}`, id, tenant)
  return row === undefined ? undefined : approvalOf(row)
}

/** The approvals for the same input that are in this state now, newest first. */
export async function approvalsOfWish(
  sql: Sql,
  call: NewCall,
  state: 'pending' | 'denied',
): Promise<readonly ReadApproval[]> {
  const rows = await sql.all(
    `${SELECT} where tenant = ? and principal = ? and tool_id = ? and input_hash = ? and state = ? and expires_at > {now} order by number desc`,
    call.tenant,
    call.principal,
    call.toolId,
    call.inputHash,
    state,
  )
  return rows.map(approvalOf)
}

// An unbounded list of a tenant's history would grow with every approval.
const MOST_LISTED = 1_000

/** The newest approval requests of a tenant; the oldest of these first. */
export async function approvalsOfTenant(
  sql: Sql,
  tenant: string,
  state: string | undefined,
  { principal, before, limit = MOST_LISTED }: ApprovalFilter,
): Promise<readonly ReadApproval[]> {
  const conditions = [
    'tenant = ?',
    ...(principal === undefined ? [] : ['principal = ?']),
    ...(state === undefined ? [] : [`${STATE} = ?`]),
    ...(before === undefined ? [] : ['number < (select number from approvals where id = ?)']),
  ]
  const values = [tenant, principal, state, before].filter((value) => value !== undefined)
  const rows = await sql.all(
    `${SELECT} where ${conditions.join(' and ')} order by number desc limit ?`,
    ...values,
    limit,
  )
  return rows.map(approvalOf).toReversed()
}

const INSERT = `insert into approvals (id, tenant, principal, tool_id, tool_version, definition_hash, input_hash, call_id, kind, reversible,
  asks, shown, digest, edited_by, state, created_at, expires_at) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'pending', {now}, {now} + ?)`

export function insertApproval(question: NewApproval): Statement {
  const { id, tenant, principal, toolId, toolVersion, definitionHash, inputHash, callId, kind } =
    question
  const { asks, shown, digest, editedBy = null, expiresMs } = question
  const binds = [
    id,
    tenant,
    principal,
    toolId,
    toolVersion,
    definitionHash,
    inputHash,
    callId,
    kind,
  ]
  return {
    text: INSERT,
    values: [...binds, Number(question.reversible), asks, shown, digest, editedBy, expiresMs],
  }
}

/** An approval, with the database's time when it was read. */
export type ReadApproval = {
  readonly approval: Approval
  readonly state: Approval['state']
  readonly callId: string
  readonly readAt: number
}

// erased: every row was written by the statement above
function approvalOf(row: Row): ReadApproval {
  const approval: Approval = {
    id: String(row.id),
    tenant: String(row.tenant),
    principal: String(row.principal),
    toolId: String(row.tool_id),
    toolVersion: String(row.tool_version),
    definitionHash: String(row.definition_hash),
    inputHash: String(row.input_hash),
    callId: String(row.call_id),
    kind: row.kind as Approval['kind'],
    reversible: row.reversible === 1,
    asks: String(row.asks),
    shown: String(row.shown),
    digest: String(row.digest),
    ...(row.edited_by === null ? {} : { editedBy: String(row.edited_by) }),
    state: row.state as Approval['state'],
    createdAt: Number(row.created_at),
    expiresAt: Number(row.expires_at),
    decision: row.decision === null ? undefined : decisionOf(String(row.decision)),
  }
  return { approval, state: approval.state, callId: approval.callId, readAt: Number(row.read_at) }
}

// JSON leaves out missing fields; in a decision they are undefined.
function decisionOf(json: string): Decision {
  return {
    host: undefined,
    reason: undefined,
    ...(JSON.parse(json) as Omit<Decision, 'host' | 'reason'>),
  }
}
