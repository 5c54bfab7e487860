import type { Caller } from '../call/caller.ts'
import { NOTHING_HASHED } from '../call/canonical-text.ts'
import type { Parts } from '../pipeline/parts.ts'
import type { Approval } from '../ports/approvals.ts'
import type { AuditEntry } from '../ports/audit.ts'

/** Who decided what, and with whose word. */
export function decisionEntry(approval: Approval, decider: Caller, parts: Parts): AuditEntry {
  const now = parts.clock.now()
  const word = approval.decision?.credential === 'attested' ? `attested by ${approval.decision.host}` : 'own credential'
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
    success: approval.state !== 'denied',
    outcome: approval.state,
    code: '',
    error: approval.decision?.reason ?? '',
    duration_ms: now - approval.createdAt,
    source: '',
    created_at: now,
  }
}
