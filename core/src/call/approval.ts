import type { Caller } from './caller.ts'

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
  readonly delegation?: Delegation
  readonly state: ApprovalState
  readonly createdAt: number
  readonly expiresAt: number
  readonly decision: Decision | undefined
}

/**
 * Whom a person asked to decide in their place. It gives no right: the delegate must be allowed to
 * decide anyway, then and at the decision.
 */
export type Delegation = { readonly to: string; readonly by: string; readonly at: number }

export type Decision = {
  readonly verdict: 'approve' | 'deny'
  readonly by: string
  /**
   * `own`: with the decider's own credential. `attested`: a host reports that its user approved.
   * `link`: by a signed link in a message to the decider.
   */
  readonly credential: 'own' | 'attested' | 'link'
  readonly host: string | undefined
  readonly reason: string | undefined
  readonly at: number
  /**
   * The decider with the rights they had, for the check when the approval is used. It is not part
   * of any view. Missing in decisions that were stored before it was introduced.
   */
  readonly decider?: Caller
  /** The approval was used up without an effect, because its facts had changed. */
  readonly voided?: {
    readonly reason: 'facts_changed'
    /** The approval request that asks again. */
    readonly replacedBy: string
    readonly at: number
  }
}

/** One difference between the facts that were approved and those that were found later. */
export type FactChange = {
  /** Such as `lines[0].price`; empty for the facts as a whole. */
  readonly path: string
  /** Left out where the fact is new. */
  readonly before?: unknown
  /** Left out where the fact is gone. */
  readonly after?: unknown
}

/** A change on one line, such as `total: 100 → 140`. */
export function changeText({ path, before, after }: FactChange): string {
  const text = (value: unknown): string => (value === undefined ? 'nothing' : JSON.stringify(value))
  return `${path === '' ? 'everything' : path}: ${text(before)} → ${text(after)}`
}

/** What an approval request shows beside the input. */
export type ShownFacts = {
  readonly facts: unknown
  /** SHA-256 of the canonical JSON of the facts; undefined: the request shows none. */
  readonly hash: string | undefined
  /** Since the approval before it; empty in the first request of a call. */
  readonly changed: readonly FactChange[]
  /** How often the person was asked before, and the facts had changed by the time of the effect. */
  readonly askedBefore: number
}

/** The facts in what an approver is shown. The digest covers them, so they are stored nowhere else. */
export function readShownFacts({ shown }: Pick<Approval, 'shown'>): ShownFacts {
  const { facts, facts_hash, changed, asked_before } = JSON.parse(shown) as {
    readonly facts?: unknown
    readonly facts_hash?: string
    readonly changed?: readonly FactChange[]
    readonly asked_before?: number
  }
  return { facts, hash: facts_hash, changed: changed ?? [], askedBefore: asked_before ?? 0 }
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
  readonly delegation?: DelegationView | undefined
  readonly state: string
  readonly created_at: string
  readonly expires_at: string
  readonly decision?: Readonly<Record<string, unknown>> | undefined
  readonly url?: string | undefined
}

type DelegationView = { readonly to: string; readonly by: string; readonly at: string }

export function approvalView(
  approval: Approval,
  approvalUrl?: (id: string) => string,
): ApprovalView {
  const { decision, delegation } = approval
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
    ...(delegation === undefined
      ? {}
      : { delegation: { ...delegation, at: new Date(delegation.at).toISOString() } }),
    state: approval.state,
    created_at: new Date(approval.createdAt).toISOString(),
    expires_at: new Date(approval.expiresAt).toISOString(),
    ...(decision === undefined ? {} : { decision: decisionView(decision) }),
    ...(approvalUrl === undefined ? {} : { url: approvalUrl(approval.id) }),
  }
}

function decisionView({
  voided,
  at,
  decider: _,
  ...decision
}: Decision): Readonly<Record<string, unknown>> {
  return {
    ...decision,
    at: new Date(at).toISOString(),
    ...(voided === undefined
      ? {}
      : {
          voided: {
            reason: voided.reason,
            replaced_by: voided.replacedBy,
            at: new Date(voided.at).toISOString(),
          },
        }),
  }
}
