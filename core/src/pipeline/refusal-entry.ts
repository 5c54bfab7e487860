import type { AuditEntry } from '../ports/audit.ts'
import { auditEntryBy } from '../ports/audit-entry-by.ts'
import type { Begun } from './begin.ts'
import type { PipelineContext } from './parts.ts'
import type { Walked } from './record.ts'

/** The record of something that never became a call: no such tool, or no readable input. */
export function refusalEntry(
  begun: Begun,
  { request, tool, answer }: Walked,
  parts: PipelineContext,
): AuditEntry {
  const error = answer.status === 'failed' ? answer.error : undefined
  return auditEntryBy(
    request.caller,
    { id: parts.entropy.newId('aud', begun.startedAt), now: parts.clock.now() },
    {
      phase: 'outcome',
      call_id: begun.callId,
      request_id: request.requestId ?? begun.callId,
      surface: request.surface,
      tool_name: tool?.id ?? request.tool.slice(0, 128),
      tool_version: tool?.version ?? '',
      success: false,
      outcome: answer.status,
      code: error?.code ?? '',
      error: error?.message ?? '',
      duration_ms: parts.clock.ticks() - begun.startedTicks,
    },
  )
}
