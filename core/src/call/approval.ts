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
