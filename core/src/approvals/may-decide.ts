import type { Caller } from '../call/caller.ts'
import { ToolError } from '../call/tool-error.ts'
import { holdsPlainly, isDelegated } from '../permissions/grants.ts'
import type { PermissionScheme } from '../permissions/permissions.ts'
import type { Approval } from '../ports/approvals.ts'
import type { TenantPolicy } from '../registry/policy.ts'

/** Whose word it is: the decider's own credential, or a host's that its person said so. */
export type Credential =
  | { readonly kind: 'own' }
  | { readonly kind: 'attested'; readonly host: string }

export const DECIDE_CAPABILITY = 'approvals.decide'

/** What the tenant and the scheme say about deciding. */
export type House = { readonly policy: TenantPolicy | undefined; readonly scheme: PermissionScheme }

/** Refuses whoever may not decide this question. An agent never decides. */
export function refuseDecider(
  decider: Caller,
  approval: Approval,
  credential: Credential,
  house: House,
): void {
  const { policy } = house
  const reason =
    credential.kind === 'own'
      ? ownReason(decider, approval, house)
      : attestedReason(decider, approval, credential.host, policy)
  if (reason !== undefined)
    throw new ToolError('TOOL_INSUFFICIENT_PERMISSIONS', reason, {
      details: { approval_id: approval.id, kind: approval.kind },
    })
}

/** May they look at this question? Whoever asked may, and their agents; another's is for those who may decide it, by role or by name. */
export function maySee(
  viewer: Caller,
  approval: Pick<Approval, 'principal'>,
  scheme: PermissionScheme,
): boolean {
  if (viewer.principal === approval.principal) return true
  return viewer.actor !== 'ai_agent' && isApproving(viewer, scheme)
}

function isApproving(caller: Caller, scheme: PermissionScheme): boolean {
  if (!isDelegated(caller, DECIDE_CAPABILITY)) return false
  return caller.roles.includes('admin') || holdsPlainly({ name: DECIDE_CAPABILITY }, caller, scheme)
}

function ownReason(
  decider: Caller,
  approval: Approval,
  { policy, scheme }: House,
): string | undefined {
  if (decider.actor === 'ai_agent')
    return 'An agent never decides: a person must, with a credential of their own.'
  const isOther = decider.principal !== approval.principal
  const isApprover = isApproving(decider, scheme)
  if (approval.kind === 'consent' && isOther)
    return 'Consent is given by the person it is asked of.'
  if (approval.kind === 'admin' && !isApprover)
    return `This is for an administrator, or somebody with ${DECIDE_CAPABILITY}.`
  if (policy?.separateApprover && (!isOther || approval.editedBy === decider.principal))
    return 'Whoever asked, or changed what was asked, may not decide here.'
  if (isOther && approval.kind !== 'consent' && !isApprover)
    return `Somebody else's question is decided by an administrator, or somebody with ${DECIDE_CAPABILITY}.`
  return undefined
}

// a relayed yes is the host's word, not the person's: good enough for small things, from hosts the tenant trusts
function attestedReason(
  decider: Caller,
  approval: Approval,
  host: string,
  policy: TenantPolicy | undefined,
): string | undefined {
  if (decider.principal !== approval.principal)
    return "A host relays the yes of its own person, not to somebody else's question."
  if (approval.kind !== 'confirm') return `A relayed yes is not accepted for ${approval.kind}.`
  if (!approval.reversible) return 'A relayed yes is not accepted for what can not be undone.'
  if (policy?.separateApprover)
    return 'Whoever asked may not decide here, and a relayed yes is theirs.'
  if (!policy?.trustedHosts?.includes(host))
    return `The host "${host}" is not trusted to relay a yes.`
  return undefined
}
