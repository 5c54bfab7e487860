import type { Approval } from '../call/approval.ts'
import type { Caller } from '../call/caller.ts'
import { ToolError } from '../call/tool-error.ts'
import type { Tool } from '../define/tool.ts'
import type { LedgerContext } from '../ledger/context.ts'
import { isAdministrator, mayDecideAbout, reachesTool } from '../permissions/credential.ts'
import { holdsUnconditionally, isDelegated } from '../permissions/grants.ts'
import type { PermissionScheme } from '../permissions/permission-scheme.ts'
import type { TenantPolicy } from '../registry/policy.ts'

/**
 * How a decision is proved: by the decider's own credential, by a host that attests what its person
 * decided, or by a signed link in a message that only the decider was sent.
 */
export type Credential =
  | { readonly kind: 'own' }
  | { readonly kind: 'attested'; readonly host: string }
  | { readonly kind: 'link' }

export const DECIDE_CAPABILITY = 'approvals.decide'

/** The rules of the tenant and of the permission scheme about deciding. */
type DecisionRules = {
  readonly policy: TenantPolicy | undefined
  readonly scheme: PermissionScheme
  /** The tool in question; undefined where it is not registered any more. */
  readonly tool: Tool | undefined
}

/** The rules of today, for the tool that the approval names. */
export function decisionRules(
  { tenant, toolId, toolVersion }: Pick<Approval, 'tenant' | 'toolId' | 'toolVersion'>,
  { policyOf, registryOf, scheme }: Pick<LedgerContext, 'policyOf' | 'registryOf' | 'scheme'>,
): DecisionRules {
  const tool = registryOf(tenant).find(`${toolId}@${toolVersion}`)
  return { policy: policyOf(tenant), scheme, tool }
}

/** Throws for a caller who may not decide this request. An agent never decides. */
export function refuseDecider(
  decider: Caller,
  approval: Approval,
  credential: Credential,
  rules: DecisionRules,
): void {
  const reason = findRefusal(decider, approval, credential, rules)
  if (reason !== undefined)
    throw new ToolError('TOOL_INSUFFICIENT_PERMISSIONS', reason, {
      details: { approval_id: approval.id, kind: approval.kind },
    })
}

/** Why this caller may not decide; undefined where they may. */
export function findRefusal(
  decider: Caller,
  approval: Approval,
  credential: Credential,
  rules: DecisionRules,
): string | undefined {
  return credential.kind === 'attested'
    ? attestedReason(decider, approval, credential.host, rules)
    : ownReason(decider, approval, rules)
}

/** Whether a link in a message may approve it; others read the message too, so it may do little. */
export function isApprovableByLink({ kind, reversible }: Approval): boolean {
  return kind === 'confirm' && reversible
}

/**
 * Whether a viewer may see a request: their own, also through their agents, as far as the
 * credential reaches; or as an approver in person anyone's.
 */
export function maySee(
  viewer: Caller,
  approval: Pick<Approval, 'principal'>,
  { scheme, tool }: Pick<DecisionRules, 'scheme' | 'tool'>,
): boolean {
  if (maySeeAll(viewer, scheme)) return true
  if (viewer.principal !== approval.principal) return false
  return reachesTool(viewer, tool) || mayDecideInPerson(viewer, tool)
}

function mayDecideInPerson(viewer: Caller, tool: Tool | undefined): boolean {
  return viewer.actor !== 'ai_agent' && mayDecideAbout(viewer, tool, DECIDE_CAPABILITY)
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
    isAdministrator(caller) || holdsUnconditionally({ name: DECIDE_CAPABILITY }, caller, scheme)
  )
}

const BEYOND_CREDENTIAL = `This credential is limited to other capabilities. Decide with a credential that includes those of the tool, or ${DECIDE_CAPABILITY}.`

function ownReason(
  decider: Caller,
  approval: Approval,
  { policy, scheme, tool }: DecisionRules,
): string | undefined {
  if (decider.actor === 'ai_agent')
    return 'An agent never decides. A person must decide, with their own credential.'
  if (!mayDecideAbout(decider, tool, DECIDE_CAPABILITY)) return BEYOND_CREDENTIAL
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
  { policy, tool }: DecisionRules,
): string | undefined {
  if (decider.principal !== approval.principal)
    return 'A host may relay the approval of its own person only, for their own request.'
  if (!reachesTool(decider, tool)) return BEYOND_CREDENTIAL
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
