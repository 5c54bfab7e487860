import type { Caller } from '../call/caller.ts'
import { NOTHING_HASHED } from '../call/canonical-text.ts'
import type { Parts } from '../pipeline/parts.ts'
import type { Approval, Decision } from '../ports/approvals.ts'
import type { AuditEntry } from '../ports/audit.ts'

/** Who decided what, and with whose word. */
export function decisionEntry(approval: Approval, decision: Omit<Decision, 'at'>, decider: Caller, parts: Parts): AuditEntry {
  const now = parts.clock.now()
  const word = decision.credential === 'attested' ? `attested by ${decision.host}` : 'own credential'
  return {
    id: parts.chance.newId('aud', now),
    phase: 'decision',
    call_id: approval.callId,
    request_id: approval.id,
    tenant: approval.tenant,
    principal: decider.principal,
    actor: decider.actor,
    surface: word,
    tool_name: approval.toolId,
    tool_version: approval.toolVersion,
    definition_hash: approval.definitionHash,
    input: { hash: approval.inputHash, bytes: 0 },
    output: NOTHING_HASHED,
    success: decision.verdict === 'approve',
    outcome: decision.verdict === 'approve' ? 'approved' : 'denied',
    code: '',
    error: decision.reason ?? '',
    duration_ms: now - approval.createdAt,
    source: '',
    created_at: now,
  }
}
