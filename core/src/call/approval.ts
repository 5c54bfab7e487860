/** Whose yes: the person's who asked, the person's it concerns, or an administrator's. */
export type ApprovalKind = 'confirm' | 'consent' | 'admin'

/** How long a question stays open where nobody says otherwise. */
export const APPROVAL_EXPIRES = '15m'

const STRICTNESS: readonly ApprovalKind[] = ['confirm', 'consent', 'admin']

/** The stricter of two; undefined asks for nothing. */
export function stricterKind(left: ApprovalKind | undefined, right: ApprovalKind): ApprovalKind {
  return left !== undefined && STRICTNESS.indexOf(left) > STRICTNESS.indexOf(right) ? left : right
}

export type ApprovalState = 'pending' | 'approved' | 'denied' | 'expired' | 'used' | 'replaced'

/** One person's single-use yes to exactly one call. */
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
  /** Everything the decider sees, secrets as digests, as JSON. */
  readonly shown: string
  /** SHA-256 over what is shown; it travels with the decision. */
  readonly digest: string
  /** Who changed what was first asked for. */
  readonly editedBy?: string
  readonly state: ApprovalState
  readonly createdAt: number
  readonly expiresAt: number
  readonly decision: Decision | undefined
}

export type Decision = {
  readonly verdict: 'approve' | 'deny'
  readonly by: string
  /** `own`: with the decider's own credential. `attested`: a host says that its person said yes. */
  readonly credential: 'own' | 'attested'
  readonly host: string | undefined
  readonly reason: string | undefined
  readonly at: number
}
