import { NOTHING_HASHED } from '../call/canonical-text.ts'
import type { AuditEntry } from '../ports/audit.ts'
import type { Begun } from './begin.ts'
import type { Parts } from './parts.ts'
import type { Walked } from './record.ts'

/** The record of something that never became a call: no such tool, or no readable input. */
export function refusalEntry(begun: Begun, { request, tool, answer }: Walked, parts: Parts): AuditEntry {
  const error = answer.status === 'failed' ? answer.error : undefined
  return {
    id: parts.chance.newId('aud', begun.startedAt),
    phase: 'outcome',
    call_id: begun.callId,
    request_id: request.requestId ?? begun.callId,
    tenant: begun.tenant,
    principal: request.caller.principal,
    actor: request.caller.actor,
    surface: request.surface,
    tool_name: tool?.id ?? request.tool.slice(0, 128),
    tool_version: tool?.version ?? '',
    definition_hash: '',
    input: NOTHING_HASHED,
    output: NOTHING_HASHED,
    success: false,
    outcome: answer.status,
    code: error?.code ?? '',
    error: error?.message ?? '',
    duration_ms: parts.clock.ticks() - begun.startedTicks,
    source: '',
    created_at: parts.clock.now(),
  }
}
