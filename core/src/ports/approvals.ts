import type { Approval, ApprovalState, Decision } from '../call/approval.ts'
import type { CallRow, NewCall } from '../call/call-row.ts'
import type { Maybe } from '../call/maybe.ts'
import type { AuditEntry } from './audit.ts'

export type NewApproval = Omit<Approval, 'state' | 'createdAt' | 'expiresAt' | 'decision'> & {
  readonly expiresMs: number
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

/** Without a principal: everyone's. */
export type ApprovalFilter = {
  readonly principal?: string | undefined
  readonly limit?: number
}

export type ApprovalStore = {
  /** One transaction: finds the same pending question or a denial that still binds, else reserves the row and asks. */
  readonly ask: (question: NewApproval, call: NewCall) => Maybe<Asked>
  readonly get: (tenant: string, id: string) => Maybe<Approval | undefined>
  /** The newest requests of a tenant, at most `limit` (default 1,000) of them; the oldest of these first. */
  readonly list: (
    tenant: string,
    state?: ApprovalState,
    filter?: ApprovalFilter,
  ) => Maybe<readonly Approval[]>
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
