import type { Caller } from '../call/caller.ts'
import { ToolError } from '../call/tool-error.ts'
import type { AuditEntry } from '../ports/audit.ts'
import { auditEntryBy } from '../ports/audit-entry-by.ts'
import type { CallRow, Ending } from '../ports/calls.ts'
import { checkOutput } from './output.ts'
import type { PipelineContext } from './parts.ts'

/** What a person found out: it was done, with this output, or it was not. */
export type Evidence = { readonly text: string } & (
  | { readonly found: 'done'; readonly output: unknown }
  | { readonly found: 'not_done' }
)

/** Settles an `unknown` call once, with evidence. */
export async function resolveUnknown(
  decider: Caller,
  callId: string,
  evidence: Evidence,
  parts: PipelineContext,
): Promise<void> {
  const row = await parts.stores.calls.get(decider.tenant, callId)
  if (row === undefined)
    throw new ToolError('TOOL_RESOURCE_NOT_FOUND', `There is no call ${callId}.`)
  if (decider.actor === 'ai_agent')
    throw new ToolError(
      'TOOL_INSUFFICIENT_PERMISSIONS',
      'What nobody knows is settled by a person, not by an agent.',
    )
  if (!decider.roles.includes('admin'))
    throw new ToolError(
      'TOOL_ROLE_NOT_AUTHORIZED',
      'What nobody knows is settled by an administrator.',
    )
  if (row.state !== 'unknown') throw nothingToSettle(row)
  if (evidence.found === 'not_done') await awaitSecondPerson(row, decider, evidence.text, parts)
  const settled = await parts.stores.calls.resolve(
    decider.tenant,
    callId,
    endingOf(row, evidence, parts),
    entryOf(row, decider, evidence, parts),
  )
  if (!settled) throw nothingToSettle(row)
}

function endingOf(row: CallRow, evidence: Evidence, parts: PipelineContext): Ending {
  if (evidence.found === 'not_done') return { state: 'released' }
  const tool = parts.registryOf(row.tenant).find(`${row.toolId}@${row.toolVersion}`)
  const checked = tool === undefined ? undefined : checkOutput(tool, evidence.output)
  if (checked?.ok === false)
    throw new ToolError(
      'TOOL_INVALID_FIELD_VALUE',
      `This is not an output of ${row.toolId}: ${checked.problem}.`,
    )
  return {
    state: 'succeeded',
    isSecret: row.isSecret,
    answer: {
      kind: 'output',
      json: JSON.stringify(checked?.data ?? evidence.output ?? null),
      warnings: ['Settled by a person.'],
    },
  }
}

// freeing the key lets it happen a second time: for what can't be undone, two people say so, each with a credential of their own
async function awaitSecondPerson(
  row: CallRow,
  decider: Caller,
  text: string,
  parts: PipelineContext,
): Promise<void> {
  if (!row.irreversible) return
  const said = await parts.stores.calls.evidence(row.tenant, row.callId)
  const witnesses = said
    .filter(({ what }) => what === 'person')
    .map((evidence) => (JSON.parse(evidence.text) as Witness).by)
  if (witnesses.some((by) => by !== decider.principal)) return
  const witness: Witness = { by: decider.principal, text }
  if (witnesses.length === 0) {
    await parts.stores.calls.addEvidence(
      { tenant: row.tenant, callId: row.callId, fence: row.fence },
      { fence: row.fence, what: 'person', text: JSON.stringify(witness), at: parts.clock.now() },
    )
  }
  throw new ToolError(
    'TOOL_APPROVAL_REQUIRED',
    `${row.toolId} can't be undone: a second person must say that it was not done.`,
    {
      details: { call_id: row.callId, said_by: decider.principal },
    },
  )
}

type Witness = { readonly by: string; readonly text: string }

function nothingToSettle(row: CallRow): ToolError {
  return new ToolError(
    'TOOL_GATE_CLOSED',
    `The call ${row.callId} is ${row.state}: there is nothing to settle.`,
    {
      details: { source_code: 'not_unknown' },
    },
  )
}

function entryOf(row: CallRow, decider: Caller, evidence: Evidence, parts: PipelineContext): AuditEntry {
  const now = parts.clock.now()
  return auditEntryBy(
    decider,
    { id: parts.entropy.newId('aud', now), now },
    {
      phase: 'decision',
      call_id: row.callId,
      request_id: row.requestId,
      surface: 'resolution',
      tool_name: row.toolId,
      tool_version: row.toolVersion,
      definition_hash: row.definitionHash,
      input: { hash: row.inputHash, bytes: 0 },
      success: evidence.found === 'done',
      outcome: evidence.found,
      error: evidence.text,
    },
  )
}
