import type { Approval } from '../call/approval.ts'

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
