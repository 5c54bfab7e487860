import type { ApprovalKind } from '../define/approval-kind.ts'
import type { AuditEntry } from './audit.ts'
import type { CallRow, NewCall } from './calls.ts'
import type { Maybe } from './maybe.ts'

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

export type NewApproval = Omit<Approval, 'state' | 'createdAt' | 'expiresAt' | 'decision'> & {
  readonly expiresMs: number
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

export type Asked =
  | { readonly kind: 'asked' | 'pending' | 'denied'; readonly approval: Approval }
  /** The key has gone on meanwhile: answer from the row. */
  | { readonly kind: 'held'; readonly row: CallRow }

export type Decided =
  | { readonly kind: 'decided'; readonly approval: Approval }
  /** Somebody was first, or it is too late. */
  | { readonly kind: 'closed'; readonly approval: Approval }
  | { readonly kind: 'missing' }

/** An edit, as the store takes it. */
export type EditedQuestion = {
  readonly question: NewApproval
  readonly call: NewCall
  readonly audit: AuditEntry
}

export type ApprovalStore = {
  /** One transaction: finds the same pending question or a denial that still binds, else reserves the row and asks. */
  readonly ask: (question: NewApproval, call: NewCall) => Maybe<Asked>
  readonly get: (tenant: string, id: string) => Maybe<Approval | undefined>
  readonly list: (tenant: string, state?: ApprovalState) => Maybe<readonly Approval[]>
  /** One transaction: the decision with its record, and on a yes the row's way to the queue with its wake-up. */
  readonly decide: (
    tenant: string,
    id: string,
    decision: Omit<Decision, 'at'>,
    audit: AuditEntry,
  ) => Maybe<Decided>
  /** One transaction: the old question is closed and the edited one asked under the same key, with the record of who edited it. */
  readonly replace: (tenant: string, id: string, edited: EditedQuestion) => Maybe<Decided>
}
