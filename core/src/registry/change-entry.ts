import type { Caller } from '../call/caller.ts'
import type { Tool } from '../define/tool.ts'
import type { AuditEntry } from '../ports/audit.ts'
import { auditEntryBy } from '../ports/audit-entry-by.ts'
import { definitionHash } from './describe.ts'

/** Who changed which tool, and to what. */
export function changeEntry(
  by: Caller,
  tool: Tool,
  outcome: string,
  made: { readonly id: string; readonly now: number },
): AuditEntry {
  return auditEntryBy(by, made, {
    phase: 'change',
    call_id: made.id,
    surface: 'registry',
    tool_name: tool.id,
    tool_version: tool.version,
    definition_hash: definitionHash(tool),
    success: true,
    outcome,
  })
}
