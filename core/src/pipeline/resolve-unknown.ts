import type { Caller } from '../call/caller.ts'
import { NOTHING_HASHED } from '../call/canonical-text.ts'
import { ToolError } from '../call/tool-error.ts'
import type { AuditEntry } from '../ports/audit.ts'
import type { CallRow, Ending } from '../ports/calls.ts'
import type { Parts } from './parts.ts'

/** What a person found out: it was done, with this output, or it was not. */
export type Evidence = { readonly text: string } & (
  | { readonly found: 'done'; readonly output: unknown }
  | { readonly found: 'not_done' /** Who else looked; needed for what can't be undone. */; readonly second?: string }
)

/** Settles an `unknown` call once, with evidence. */
export async function resolveUnknown(decider: Caller, callId: string, evidence: Evidence, parts: Parts): Promise<void> {
  const row = await parts.stores.calls.get(decider.tenant, callId)
  if (row === undefined) throw new ToolError('TOOL_RESOURCE_NOT_FOUND', `There is no call ${callId}.`)
  if (decider.actor === 'ai_agent')
    throw new ToolError('TOOL_INSUFFICIENT_PERMISSIONS', 'What nobody knows is settled by a person, not by an agent.')
  if (!decider.roles.includes('admin')) throw new ToolError('TOOL_ROLE_NOT_AUTHORIZED', 'What nobody knows is settled by an administrator.')
  const reversible = parts.registry.find(row.toolId)?.contract.reversible ?? false
  // freeing the key lets it happen a second time: for what can't be undone, two people must have looked
  if (evidence.found === 'not_done' && !reversible && (evidence.second === undefined || evidence.second === decider.principal)) {
    throw new ToolError('TOOL_APPROVAL_REQUIRED', `${row.toolId} can't be undone: a second person must confirm that it was not done.`)
  }
  const ending: Ending =
    evidence.found === 'done'
      ? {
          state: 'succeeded',
          answer: { kind: 'output', json: JSON.stringify(evidence.output ?? null), warnings: ['Settled by a person.'] },
        }
      : { state: 'released' }
  const settled = await parts.stores.calls.resolve(decider.tenant, callId, ending, entryOf(row, decider, evidence, parts))
  if (!settled)
    throw new ToolError('TOOL_GATE_CLOSED', `The call ${callId} is ${row.state}: there is nothing to settle.`, {
      details: { source_code: 'not_unknown' },
    })
}

function entryOf(row: CallRow, decider: Caller, evidence: Evidence, parts: Parts): AuditEntry {
  const now = parts.clock.now()
  return {
    id: parts.chance.newId('aud', now),
    phase: 'decision',
    call_id: row.callId,
    request_id: row.requestId,
    tenant: row.tenant,
    principal: decider.principal,
    actor: decider.actor,
    surface: 'resolution',
    tool_name: row.toolId,
    tool_version: row.toolVersion,
    definition_hash: row.definitionHash,
    input: { hash: row.inputHash, bytes: 0 },
    output: NOTHING_HASHED,
    success: evidence.found === 'done',
    outcome: evidence.found,
    code: '',
    error: evidence.text,
    duration_ms: 0,
    source: '',
    created_at: now,
  }
}
