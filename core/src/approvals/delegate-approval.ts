import type { Approval } from '../call/approval.ts'
import type { Caller } from '../call/caller.ts'
import { ToolError } from '../call/tool-error.ts'
import type { LedgerContext } from '../ledger/context.ts'
import type { Decided } from '../ports/approvals.ts'
import type { AuditEntry } from '../ports/audit.ts'
import { auditEntryBy } from '../ports/audit-entry-by.ts'
import { decisionRules, findRefusal, refuseDecider } from './may-decide.ts'

type Delegated = { readonly approval: Approval; readonly to: string }

/**
 * Asks another person to decide. Both must be allowed to decide by themselves: a delegation directs
 * a request, and widens no right.
 */
export async function delegateApproval(
  by: Caller,
  { approval, to }: Delegated,
  context: LedgerContext,
): Promise<Decided> {
  const { tenant, id } = approval
  const rules = decisionRules(approval, context)
  refuseDecider(by, approval, { kind: 'own' }, rules)
  // Looked up as a person with the rights of today: an agent's credential is never the delegate.
  const delegate = to === by.principal ? undefined : await context.findPerson(tenant, to)
  if (delegate === undefined)
    throw delegateError(approval, to, `There is no other person "${to}" here.`)
  const refusal = findRefusal(delegate, approval, { kind: 'own' }, rules)
  if (refusal !== undefined)
    throw delegateError(approval, to, `"${to}" may not decide it. ${refusal}`)
  const delegation = { to, by: by.principal }
  return context.stores.approvals.delegate(
    tenant,
    id,
    delegation,
    delegationEntry(approval, to, by, context),
  )
}

/** The audit entry of a delegation; its text is the delegate's name, which an erasure finds. */
function delegationEntry(
  approval: Approval,
  to: string,
  by: Caller,
  context: LedgerContext,
): AuditEntry {
  const now = context.clock.now()
  return auditEntryBy(
    by,
    { id: context.entropy.newId('aud', now), now },
    {
      phase: 'decision',
      call_id: approval.callId,
      request_id: approval.id,
      surface: 'own credential',
      tool_name: approval.toolId,
      tool_version: approval.toolVersion,
      definition_hash: approval.definitionHash,
      input: { hash: approval.inputHash, bytes: 0 },
      success: true,
      outcome: 'delegated',
      error: to,
      duration_ms: now - approval.createdAt,
    },
  )
}

function delegateError({ id }: Approval, to: string, reason: string): ToolError {
  const error = 'is no person who may decide this request'
  return new ToolError(
    'TOOL_INVALID_FIELD_VALUE',
    `${reason} The request was not delegated. Name a person who may decide it.`,
    {
      details: { approval_id: id, validation_errors: [{ field: 'to', error, provided_value: to }] },
    },
  )
}
