import type { Approval } from '../call/approval.ts'
import type { Caller } from '../call/caller.ts'
import type { LedgerContext } from '../ledger/context.ts'
import type { AuditEntry } from '../ports/audit.ts'
import { auditEntryBy } from '../ports/audit-entry-by.ts'

type ApprovalFacts = Pick<AuditEntry, 'outcome' | 'success'> & Partial<AuditEntry>

/** The audit entry of what a person did with an approval request. */
export function approvalEntry(
  approval: Approval,
  by: Caller,
  facts: ApprovalFacts,
  context: LedgerContext,
): AuditEntry {
  const now = context.clock.now()
  return auditEntryBy(
    by,
    { id: context.entropy.newId('aud', now), now },
    {
      phase: 'decision',
      call_id: approval.callId,
      request_id: approval.id,
      surface: 'own credential',
      tool_name: approval.toolId,
      tool_version: approval.toolVersion,
      definition_hash: approval.definitionHash,
      input: { hash: approval.inputHash, bytes: 0 },
      duration_ms: now - approval.createdAt,
      ...facts,
    },
  )
}
