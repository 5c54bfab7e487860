import type { Caller } from '../call/caller.ts'
import { NOTHING_HASHED } from '../call/canonical-text.ts'
import type { Tool } from '../define/tool.ts'
import type { AuditEntry } from '../ports/audit.ts'
import { definitionHash } from './describe.ts'

/** Who changed which tool, and to what. */
export function changeEntry(by: Caller, tool: Tool, outcome: string, made: { readonly id: string; readonly now: number }): AuditEntry {
  return {
    id: made.id,
    phase: 'change',
    call_id: made.id,
    request_id: made.id,
    tenant: by.tenant,
    principal: by.principal,
    actor: by.actor,
    surface: 'registry',
    tool_name: tool.id,
    tool_version: tool.version,
    definition_hash: definitionHash(tool),
    input: NOTHING_HASHED,
    output: NOTHING_HASHED,
    success: true,
    outcome,
    code: '',
    error: '',
    duration_ms: 0,
    source: '',
    created_at: made.now,
  }
}
