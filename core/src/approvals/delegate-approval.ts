import type { Approval } from '../call/approval.ts'
import type { Caller } from '../call/caller.ts'
import { ToolError } from '../call/tool-error.ts'
import type { LedgerContext } from '../ledger/context.ts'
import type { Decided } from '../ports/approvals.ts'
import { approvalEntry } from './approval-entry.ts'
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
  // The text of the entry is the delegate's name, which an erasure of that person finds.
  const facts = { success: true, outcome: 'delegated', error: to }
  const entry = approvalEntry(approval, by, facts, context)
  return context.stores.approvals.delegate(tenant, id, { to, by: by.principal }, entry)
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
