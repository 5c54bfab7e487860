import type { Approval } from '../call/approval.ts'
import { ToolError } from '../call/tool-error.ts'
import type { LedgerContext } from '../ledger/context.ts'
import { NOTHING_DONE } from './facts.ts'
import { type Credential, decisionRules, refuseDecider } from './may-decide.ts'

/**
 * Refuses an approval whose approver may not give it any more, just before it is used: between the
 * decision and its use, the person may have been disabled, or lost the role or the token.
 */
export async function refuseFormerApprover(
  { tenant, approvalId }: { readonly tenant: string; readonly approvalId: string },
  context: LedgerContext,
): Promise<undefined> {
  const approval = await context.stores.approvals.get(tenant, approvalId)
  if (approval?.decision === undefined) return
  if (!(await mayStillDecide(approval, approval.decision, context))) throw formerError(approval)
}

async function mayStillDecide(
  approval: Approval,
  { by, decider, credential: kind, host }: NonNullable<Approval['decision']>,
  context: LedgerContext,
): Promise<boolean> {
  // An approver who was erased has no name; an older decision has no stored decider.
  if (decider === undefined) return by !== ''
  const today = await context.currentCaller(decider)
  if (today === undefined) return false
  const credential: Credential = kind === 'attested' ? { kind, host: host ?? '' } : { kind: 'own' }
  try {
    refuseDecider(today, approval, credential, decisionRules(approval, context))
    return true
  } catch {
    return false
  }
}

function formerError({ toolId, id }: Approval): ToolError {
  return new ToolError(
    'TOOL_APPROVAL_DENIED',
    `The person who approved ${toolId} may no longer do so. ${NOTHING_DONE}`,
    {
      effect: 'none',
      details: { source_code: 'approver_lost_rights', approval_id: id },
      suggestions: ['Call it again to request a new approval.'],
    },
  )
}
