import type { Caller } from '../call/caller.ts'
import { NOTHING_HASHED } from '../call/canonical.ts'
import type { AuditEntry } from './audit.ts'

type AuditFacts = Pick<AuditEntry, 'phase' | 'call_id' | 'tool_name' | 'outcome' | 'success'> &
  Partial<AuditEntry>

/** The audit record of an action outside the pipeline; facts that are not given are blank. */
export function auditEntryBy(
  by: Caller,
  made: { readonly id: string; readonly now: number },
  facts: AuditFacts,
): AuditEntry {
  return {
    id: made.id,
    request_id: facts.call_id,
    tenant: by.tenant,
    principal: by.principal,
    actor: by.actor,
    surface: '',
    tool_version: '',
    definition_hash: '',
    input: NOTHING_HASHED,
    output: NOTHING_HASHED,
    code: '',
    error: '',
    duration_ms: 0,
    source: '',
    created_at: made.now,
    ...facts,
  }
}
