import type { Row } from '@surehand/core/internal'
import type {
  Approval,
  ApprovalFilter,
  ApprovalState,
  Decision,
  NewApproval,
  NewCall,
} from '@surehand/core/ports'
import { listStatement } from '../list-statement.ts'
import type { Sql, Statement } from '../step.ts'

// Expiry is computed when a row is read; no process marks a request as expired.
const STATE =
  "case when state in ('pending', 'approved', 'denied') and expires_at <= {now} then 'expired' else state end"

const SELECT = `select id, tenant, principal, tool_id, tool_version, definition_hash, input_hash, call_id, kind, reversible, asks, shown,
  digest, edited_by, delegate, delegated_by, delegated_at, ${STATE} as state, created_at, expires_at, decision, {now} as read_at from approvals`

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

// Compared with the stored state where that is enough: no index serves a computed one.
const IN_STATE: Readonly<Record<ApprovalState, string>> = {
  pending: "state = 'pending' and expires_at > {now}",
  approved: "state = 'approved' and expires_at > {now}",
  denied: "state = 'denied' and expires_at > {now}",
  expired: `${STATE} = 'expired'`,
  used: "state = 'used'",
  replaced: "state = 'replaced'",
}

/** The statement that lists approval requests of a tenant. */
export function listApprovalsStatement(
  tenant: string,
  state: ApprovalState | undefined,
  { principal, toolId, since, until, before, expiringAfter, limit = MOST_LISTED }: ApprovalFilter,
): Statement {
  const conditions = [
    ['tenant = ?', tenant] as const,
    principal === undefined ? undefined : (['principal = ?', principal] as const),
    state === undefined ? undefined : ([IN_STATE[state]] as const),
    toolId === undefined ? undefined : (['tool_id = ?', toolId] as const),
    since === undefined ? undefined : (['created_at >= ?', since] as const),
    until === undefined ? undefined : (['created_at < ?', until] as const),
  ]
  return listStatement(SELECT, conditions, { table: 'approvals', before, expiringAfter, limit })
}

/** The newest approval requests of a tenant, the oldest of these first; or what expires first. */
export async function approvalsOfTenant(
  sql: Sql,
  tenant: string,
  state: ApprovalState | undefined,
  filter: ApprovalFilter,
): Promise<readonly ReadApproval[]> {
  const { text, values } = listApprovalsStatement(tenant, state, filter)
  const listed = (await sql.all(text, ...values)).map(approvalOf)
  return filter.expiringAfter === undefined ? listed.toReversed() : listed
}

// The time is read once: in PostgreSQL it goes on within a statement.
const INSERT = `insert into approvals (id, tenant, principal, tool_id, tool_version, definition_hash, input_hash, call_id, kind, reversible,
  asks, shown, digest, edited_by, state, created_at, expires_at) select ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'pending', moment.at, moment.at + ? from (select {now} as at) moment`

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
    ...(row.delegate === null
      ? {}
      : {
          delegation: {
            to: String(row.delegate),
            by: String(row.delegated_by),
            at: Number(row.delegated_at),
          },
        }),
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
