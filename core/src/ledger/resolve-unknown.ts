import type { CallRow, UnknownCall, UnknownCallFilter } from '../call/call-row.ts'
import type { Caller } from '../call/caller.ts'
import { ToolError } from '../call/tool-error.ts'
import { checkOutput } from '../define/check-output.ts'
import { isAdministrator, reachesTool } from '../permissions/credential.ts'
import type { AuditEntry } from '../ports/audit.ts'
import { auditEntryBy } from '../ports/audit-entry-by.ts'
import type { CallStore, Ending } from '../ports/calls.ts'
import type { LedgerContext } from './context.ts'

/** What a person found out: the effect happened, with this output, or it did not. */
export type Evidence = { readonly text: string } & (
  | { readonly found: 'done'; readonly output: unknown }
  | { readonly found: 'not_done' }
)

/** Settles a call whose outcome is unknown, once, with evidence. */
export async function resolveUnknown(
  decider: Caller,
  callId: string,
  evidence: Evidence,
  context: LedgerContext,
): Promise<void> {
  const row = await context.stores.calls.get(decider.tenant, callId)
  // A call that the caller may not see answers like one that does not exist.
  if (row === undefined || !(isAdministrator(decider) || isOwn(row, decider, context)))
    throw new ToolError('TOOL_RESOURCE_NOT_FOUND', `There is no call ${callId}.`)
  if (decider.actor === 'ai_agent')
    throw new ToolError(
      'TOOL_INSUFFICIENT_PERMISSIONS',
      'A call with an unknown outcome is settled by a person, not by an agent.',
    )
  if (!isAdministrator(decider))
    throw new ToolError(
      'TOOL_ROLE_NOT_AUTHORIZED',
      'A call with an unknown outcome is settled by an administrator.',
    )
  if (row.state !== 'unknown') throw notUnknownError(row)
  if (evidence.found === 'not_done') await requireSecondPerson(row, decider, evidence.text, context)
  const settled = await context.stores.calls.resolve(
    decider.tenant,
    callId,
    toEnding(row, evidence, context),
    toEntry(row, decider, evidence, context),
  )
  if (!settled) throw notUnknownError(row)
}

/** The calls of a tool whose outcome is unknown, as its pack reads them. */
export async function readUnknownCalls(
  calls: Pick<CallStore, 'open' | 'get'>,
  { tenant, tool, limit }: UnknownCallFilter,
): Promise<readonly UnknownCall[]> {
  const found = await calls.open({ tenant, unknownOf: tool, limit })
  const rows = await Promise.all(found.map(({ callId }) => calls.get(tenant, callId)))
  return rows.flatMap((row) => {
    // Settled since it was listed, or its input was erased.
    if (row?.state !== 'unknown' || row.input === '') return []
    const reason =
      row.answer?.kind === 'error' ? row.answer.message : 'It is not known whether it happened.'
    return [{ callId: row.callId, input: JSON.parse(row.input) as unknown, reason }]
  })
}

function isOwn(row: CallRow, caller: Caller, { registryOf }: LedgerContext): boolean {
  const tool = registryOf(row.tenant).find(`${row.toolId}@${row.toolVersion}`)
  return row.principal === caller.principal && reachesTool(caller, tool)
}

function toEnding(row: CallRow, evidence: Evidence, context: LedgerContext): Ending {
  if (evidence.found === 'not_done') return { state: 'released' }
  const tool = context.registryOf(row.tenant).find(`${row.toolId}@${row.toolVersion}`)
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

// Releasing the key lets the effect happen a second time. If it cannot be undone, two people must
// confirm, each with their own credential.
async function requireSecondPerson(
  row: CallRow,
  decider: Caller,
  text: string,
  context: LedgerContext,
): Promise<void> {
  if (!row.irreversible) return
  const evidence = await context.stores.calls.evidence(row.tenant, row.callId)
  const witnesses = evidence
    .filter(({ what }) => what === 'person')
    .map((found) => (JSON.parse(found.text) as Witness).by)
  if (witnesses.some((by) => by !== decider.principal)) return
  const witness: Witness = { by: decider.principal, text }
  if (witnesses.length === 0) {
    await context.stores.calls.addEvidence(
      { tenant: row.tenant, callId: row.callId, fence: row.fence },
      { fence: row.fence, what: 'person', text: JSON.stringify(witness), at: context.clock.now() },
    )
  }
  throw new ToolError(
    'TOOL_APPROVAL_REQUIRED',
    `${row.toolId} cannot be undone: a second person must confirm that it was not done.`,
    {
      details: { call_id: row.callId, said_by: decider.principal },
    },
  )
}

type Witness = { readonly by: string; readonly text: string }

function notUnknownError(row: CallRow): ToolError {
  return new ToolError(
    'TOOL_GATE_CLOSED',
    `The call ${row.callId} is ${row.state}: there is nothing to settle.`,
    {
      details: { source_code: 'not_unknown' },
    },
  )
}

function toEntry(
  row: CallRow,
  decider: Caller,
  evidence: Evidence,
  context: LedgerContext,
): AuditEntry {
  const now = context.clock.now()
  return auditEntryBy(
    decider,
    { id: context.entropy.newId('aud', now), now },
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
