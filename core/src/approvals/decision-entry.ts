import type { Caller } from '../call/caller.ts'
import type { PipelineContext } from '../pipeline/parts.ts'
import type { Approval, Decision, NewApproval } from '../ports/approvals.ts'
import type { AuditEntry } from '../ports/audit.ts'
import { auditEntryBy } from '../ports/audit-entry-by.ts'

/** Who decided what, and with whose word. */
export function decisionEntry(
  approval: Approval,
  decision: Omit<Decision, 'at'>,
  decider: Caller,
  parts: PipelineContext,
): AuditEntry {
  const now = parts.clock.now()
  const isYes = decision.verdict === 'approve'
  return auditEntryBy(
    decider,
    { id: parts.entropy.newId('aud', now), now },
    {
      phase: 'decision',
      call_id: approval.callId,
      request_id: approval.id,
      surface:
        decision.credential === 'attested' ? `attested by ${decision.host}` : 'own credential',
      tool_name: approval.toolId,
      tool_version: approval.toolVersion,
      definition_hash: approval.definitionHash,
      input: { hash: approval.inputHash, bytes: 0 },
      success: isYes,
      outcome: isYes ? 'approved' : 'denied',
      error: decision.reason ?? '',
      duration_ms: now - approval.createdAt,
    },
  )
}

/** Who changed the question, and to what. */
export function editEntry(
  edited: NewApproval,
  before: Approval,
  editor: Caller,
  parts: PipelineContext,
): AuditEntry {
  const now = parts.clock.now()
  return auditEntryBy(
    editor,
    { id: parts.entropy.newId('aud', now), now },
    {
      phase: 'decision',
      call_id: before.callId,
      request_id: before.id,
      surface: 'own credential',
      tool_name: edited.toolId,
      tool_version: edited.toolVersion,
      definition_hash: edited.definitionHash,
      input: { hash: edited.inputHash, bytes: 0 },
      success: true,
      outcome: 'edited',
    },
  )
}
