import type { Approval } from '../call/approval.ts'
import type { Caller } from '../call/caller.ts'
import { ToolError } from '../call/tool-error.ts'
import { holdsUnconditionally, isDelegated } from '../permissions/grants.ts'
import type { PermissionScheme } from '../permissions/permission-scheme.ts'
import type { TenantPolicy } from '../registry/policy.ts'

/**
 * How a decision is proved: by the decider's own credential, or by a host that attests what its
 * person decided.
 */
export type Credential =
  | { readonly kind: 'own' }
  | { readonly kind: 'attested'; readonly host: string }

export const DECIDE_CAPABILITY = 'approvals.decide'

/** The rules of the tenant and of the permission scheme about deciding. */
type DecisionRules = {
  readonly policy: TenantPolicy | undefined
  readonly scheme: PermissionScheme
}

/** Throws for a caller who may not decide this request. An agent never decides. */
export function refuseDecider(
  decider: Caller,
  approval: Approval,
  credential: Credential,
  rules: DecisionRules,
): void {
  const reason =
    credential.kind === 'own'
      ? ownReason(decider, approval, rules)
      : attestedReason(decider, approval, credential.host, rules.policy)
  if (reason !== undefined)
    throw new ToolError('TOOL_INSUFFICIENT_PERMISSIONS', reason, {
      details: { approval_id: approval.id, kind: approval.kind },
    })
}

/**
 * Whether a viewer may see a request: their own, also through their agents, or as an approver in
 * person anyone's.
 */
export function maySee(
  viewer: Caller,
  approval: Pick<Approval, 'principal'>,
  scheme: PermissionScheme,
): boolean {
  if (viewer.principal === approval.principal) return true
  return maySeeAll(viewer, scheme)
}

/**
 * Whether a viewer may see everyone's requests: an approver in person, by role or by capability.
 */
export function maySeeAll(viewer: Caller, scheme: PermissionScheme): boolean {
  return viewer.actor !== 'ai_agent' && isApprover(viewer, scheme)
}

function isApprover(caller: Caller, scheme: PermissionScheme): boolean {
  if (!isDelegated(caller, DECIDE_CAPABILITY)) return false
  return (
    caller.roles.includes('admin') ||
    holdsUnconditionally({ name: DECIDE_CAPABILITY }, caller, scheme)
  )
}

function ownReason(
  decider: Caller,
  approval: Approval,
  { policy, scheme }: DecisionRules,
): string | undefined {
  if (decider.actor === 'ai_agent')
    return 'An agent never decides. A person must decide, with their own credential.'
  const isOther = decider.principal !== approval.principal
  const mayDecideForOthers = isApprover(decider, scheme)
  if (approval.kind === 'consent' && isOther)
    return 'Consent can only be given by the person whose call it is.'
  if (approval.kind === 'admin' && !mayDecideForOthers)
    return `Only an administrator or a person with ${DECIDE_CAPABILITY} may decide this.`
  if (policy?.separateApprover && (!isOther || approval.editedBy === decider.principal))
    return 'The person who requested or edited it may not decide it in this tenant.'
  if (isOther && approval.kind !== 'consent' && !mayDecideForOthers)
    return `Another person's request can only be decided by an administrator or a person with ${DECIDE_CAPABILITY}.`
  return undefined
}

// A relayed approval proves what the host says, not what the person said: it counts for reversible
// confirmations, from hosts the tenant trusts.
function attestedReason(
  decider: Caller,
  approval: Approval,
  host: string,
  policy: TenantPolicy | undefined,
): string | undefined {
  if (decider.principal !== approval.principal)
    return 'A host may relay the approval of its own person only, for their own request.'
  if (approval.kind !== 'confirm')
    return `A relayed approval is not accepted for approvals of the kind "${approval.kind}".`
  if (!approval.reversible)
    return 'A relayed approval is not accepted for an effect that cannot be undone.'
  if (policy?.separateApprover)
    return 'The person who requested it may not decide it in this tenant, and a relayed approval is theirs.'
  if (!policy?.trustedHosts?.includes(host))
    return `The host "${host}" is not trusted to relay approvals.`
  return undefined
}
