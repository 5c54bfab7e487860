import type { Caller } from '../call/caller.ts'
import { NOTHING_HASHED } from '../call/canonical-text.ts'
import type { AuditEntry } from './audit.ts'

type Told = Pick<AuditEntry, 'phase' | 'call_id' | 'tool_name' | 'outcome' | 'success'> &
  Partial<AuditEntry>

/** A record of something somebody did that is not a call walking the line: what is not told is blank. */
export function auditEntryBy(
  by: Caller,
  made: { readonly id: string; readonly now: number },
  told: Told,
): AuditEntry {
  return {
    id: made.id,
    request_id: told.call_id,
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
    ...told,
  }
}
