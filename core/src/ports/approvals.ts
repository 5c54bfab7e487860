import type { Approval, ApprovalState, Decision, Delegation } from '../call/approval.ts'
import type { CallRow, NewCall } from '../call/call-row.ts'
import type { Maybe } from '../call/maybe.ts'
import type { ExpiryPlace } from '../call/page.ts'
import type { AuditEntry } from './audit.ts'
import type { Fence } from './calls.ts'

export type NewApproval = Omit<
  Approval,
  'state' | 'createdAt' | 'expiresAt' | 'decision' | 'delegation'
> & {
  readonly expiresMs: number
}

export type Asked =
  | { readonly kind: 'asked' | 'pending' | 'denied'; readonly approval: Approval }
  /** The call with this key has proceeded meanwhile: answer from the row. */
  | { readonly kind: 'held'; readonly row: CallRow }

export type Decided =
  | { readonly kind: 'decided'; readonly approval: Approval }
  /** It was decided before, or it has expired. */
  | { readonly kind: 'closed'; readonly approval: Approval }
  | { readonly kind: 'missing' }

/** An edited approval request, as the store takes it. */
export type EditedQuestion = {
  readonly question: NewApproval
  readonly call: NewCall
  readonly audit: AuditEntry
}

/** A request that asks again about a call whose approved facts have changed. */
export type AskedAgain = {
  readonly question: NewApproval
  /** The approval that the claim has used up. */
  readonly replaces: string
  readonly audit: AuditEntry
}

/** Without a principal: everyone's. */
export type ApprovalFilter = {
  readonly principal?: string | undefined
  readonly toolId?: string | undefined
  /** Only requests that were made at this time or later. */
  readonly since?: number | undefined
  /** Only requests that were made before this time. */
  readonly until?: number | undefined
  readonly limit?: number
  /** Only requests that are older than the one of this id. */
  readonly before?: string | undefined
  /** Lists what expires first at the top instead, beginning after this place. */
  readonly expiringAfter?: ExpiryPlace | undefined
}

export type ApprovalStore = {
  /**
   * One transaction: finds the same pending request or a denial that still holds, else reserves the
   * row and stores the request.
   */
  readonly ask: (question: NewApproval, call: NewCall) => Maybe<Asked>
  readonly get: (tenant: string, id: string) => Maybe<Approval | undefined>
  /**
   * The newest requests of a tenant, at most `limit` (default 1,000) of them; the oldest of these
   * first. With `expiringAfter` those that expire first, in that order.
   */
  readonly list: (
    tenant: string,
    state?: ApprovalState,
    filter?: ApprovalFilter,
  ) => Maybe<readonly Approval[]>
  /**
   * One transaction: the decision with its record, and when approved the call is queued and its
   * worker woken.
   */
  readonly decide: (
    tenant: string,
    id: string,
    decision: Omit<Decision, 'at'>,
    audit: AuditEntry,
  ) => Maybe<Decided>
  /** One transaction: whom a pending request was delegated to, with its record. */
  readonly delegate: (
    tenant: string,
    id: string,
    delegation: Omit<Delegation, 'at'>,
    audit: AuditEntry,
  ) => Maybe<Decided>
  /**
   * A text that is another one whenever a request came, was delegated, or waits no more; of one
   * principal, or of the whole tenant.
   */
  readonly waitingMark: (tenant: string, principal?: string) => Maybe<string>
  /**
   * One transaction: the old request is replaced by the edited one under the same key, with the
   * record of who edited it.
   */
  readonly replace: (tenant: string, id: string, edited: EditedQuestion) => Maybe<Decided>
  /**
   * One transaction, by the process that holds the claim: the call waits again, for a new request,
   * and the decision of the approval before it says so. Undefined: the claim was lost.
   */
  readonly askAgain: (fence: Fence, asked: AskedAgain) => Maybe<Approval | undefined>
}
