/** Who approves: the person who called, the person it concerns, or an administrator. */
export type ApprovalKind = 'confirm' | 'consent' | 'admin'

/** How long an approval request stays open by default. */
export const APPROVAL_EXPIRES = '15m'

const STRICTNESS: readonly ApprovalKind[] = ['confirm', 'consent', 'admin']

/** The stricter of two kinds; undefined means that no approval is required. */
export function stricterKind(left: ApprovalKind | undefined, right: ApprovalKind): ApprovalKind {
  return left !== undefined && STRICTNESS.indexOf(left) > STRICTNESS.indexOf(right) ? left : right
}

export type ApprovalState = 'pending' | 'approved' | 'denied' | 'expired' | 'used' | 'replaced'

/** A person's single-use permission for exactly one call. */
export type Approval = {
  readonly id: string
  readonly tenant: string
  readonly principal: string
  readonly toolId: string
  readonly toolVersion: string
  readonly definitionHash: string
  readonly inputHash: string
  readonly callId: string
  readonly kind: ApprovalKind
  readonly reversible: boolean
  readonly asks: string
  /** Everything the approver is shown, as JSON, with secrets as digests. */
  readonly shown: string
  /** SHA-256 of what is shown; a decision must carry it. */
  readonly digest: string
  /** Who edited the input that was first requested. */
  readonly editedBy?: string
  readonly state: ApprovalState
  readonly createdAt: number
  readonly expiresAt: number
  readonly decision: Decision | undefined
}

export type Decision = {
  readonly verdict: 'approve' | 'deny'
  readonly by: string
  /**
   * `own`: with the decider's own credential. `attested`: a host reports that its user approved.
   */
  readonly credential: 'own' | 'attested'
  readonly host: string | undefined
  readonly reason: string | undefined
  readonly at: number
}

/**
 * An approval request as other programs read it. `shown` is, byte for byte, the text that the
 * digest is made of.
 */
export type ApprovalView = {
  readonly id: string
  readonly tenant: string
  readonly principal: string
  readonly tool: string
  readonly tool_version: string
  readonly definition_hash: string
  readonly input_hash: string
  readonly call_id: string
  readonly kind: string
  readonly reversible: boolean
  readonly asks: string
  readonly shown: string
  readonly digest: string
  readonly edited_by?: string | undefined
  readonly state: string
  readonly created_at: string
  readonly expires_at: string
  readonly decision?: Readonly<Record<string, unknown>> | undefined
  readonly url?: string | undefined
}

export function approvalView(
  approval: Approval,
  approvalUrl?: (id: string) => string,
): ApprovalView {
  const { decision } = approval
  return {
    id: approval.id,
    tenant: approval.tenant,
    principal: approval.principal,
    tool: approval.toolId,
    tool_version: approval.toolVersion,
    definition_hash: approval.definitionHash,
    input_hash: approval.inputHash,
    call_id: approval.callId,
    kind: approval.kind,
    reversible: approval.reversible,
    asks: approval.asks,
    shown: approval.shown,
    digest: approval.digest,
    ...(approval.editedBy === undefined ? {} : { edited_by: approval.editedBy }),
    state: approval.state,
    created_at: new Date(approval.createdAt).toISOString(),
    expires_at: new Date(approval.expiresAt).toISOString(),
    ...(decision === undefined
      ? {}
      : { decision: { ...decision, at: new Date(decision.at).toISOString() } }),
    ...(approvalUrl === undefined ? {} : { url: approvalUrl(approval.id) }),
  }
}
