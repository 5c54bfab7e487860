import type { Caller } from '../call/caller.ts'
import type { Answer, Outcome } from '../call/outcome.ts'
import { ToolError, toToolError } from '../call/tool-error.ts'
import type { Tool } from '../define/tool.ts'
import { missingRights } from '../permissions/missing-rights.ts'
import type { CallRow } from '../ports/calls.ts'
import { parkedAnswer } from '../runs/waiting.ts'
import { keyExpired, refuseNarrowed, storedAnswer, unknownOf } from './answer-for.ts'
import type { PipelineContext } from './parts.ts'
import { pending } from './pending.ts'
import { outcomeOf } from './record.ts'

/** The answer of a kept call by its id, for whoever made it. Another's id looks like a missing one. */
export async function fetchAnswer(
  caller: Caller,
  callId: string,
  parts: PipelineContext,
): Promise<Outcome | undefined> {
  const row = await visibleCall(caller, callId, parts)
  if (row === undefined) return undefined
  const tool = parts.registryOf(row.tenant).find(`${row.toolId}@${row.toolVersion}`)
  const facts = {
    callId,
    tool: row.toolId,
    command: tool?.command,
    title: tool?.title ?? row.toolId,
    category: tool?.category ?? 'custom',
    schemaVersion: row.toolVersion,
    permissionsUsed: tool?.contract.capabilityNames ?? [],
    durationMs: row.updatedAt - row.createdAt,
    validationMs: 0,
    notes: [],
  }
  try {
    if (tool !== undefined) refuseUnentitled(row, tool, caller, parts)
    return outcomeOf(facts, await answerOf(row, parts))
  } catch (thrown) {
    return outcomeOf(facts, refused(toToolError(thrown)))
  }
}

/** The row of a call, for whoever may see it; another's id looks like a missing one. */
export async function visibleCall(
  caller: Caller,
  callId: string,
  parts: PipelineContext,
): Promise<CallRow | undefined> {
  const row = await parts.stores.calls.get(caller.tenant, callId)
  if (row === undefined || row.principal === caller.principal) return row
  // an agent sees its own principal's answers; an administrator others' too, as far as their rights to the tool can be asked
  const tool = parts.registryOf(row.tenant).find(`${row.toolId}@${row.toolVersion}`)
  return tool === undefined || caller.actor === 'ai_agent' || !caller.roles.includes('admin')
    ? undefined
    : row
}

function refuseUnentitled(row: CallRow, tool: Tool, caller: Caller, parts: PipelineContext): void {
  const asked = { tool, caller, startedAt: parts.clock.now() }
  const missing =
    tool.contract.permissionCheck === 'required' ? missingRights(asked, parts.scheme) : undefined
  if (missing !== undefined)
    throw new ToolError(missing.code, missing.message, {
      details: missing.details,
      suggestions: missing.suggestions,
    })
  refuseNarrowed(row, asked, parts)
}

async function answerOf(row: CallRow, parts: PipelineContext): Promise<Answer> {
  switch (row.state) {
    case 'succeeded':
    case 'failed':
      return storedAnswer(
        row,
        parts.registryOf(row.tenant).find(`${row.toolId}@${row.toolVersion}`),
      )
    case 'waiting':
      return (await pending(row, parts)) ?? gone(row, 'Nobody answered the question in time.')
    case 'queued':
    case 'claimed':
    case 'effect_started':
      return { status: 'accepted', jobId: row.callId }
    case 'parked':
      return parkedAnswer(row, parts)
    case 'unknown':
      return {
        status: 'failed',
        error: unknownOf(row),
        source: 'executed',
        originalCallId: undefined,
        audited: true,
      }
    case 'pruned':
      return refused(keyExpired(row))
    case 'released':
    case 'cancelled':
      // why it came to nothing, where that was kept
      if (row.answer !== undefined) return storedAnswer(row, undefined)
      return gone(row, 'It ended before anything happened; its key is free.')
  }
}

function refused(error: ToolError): Answer {
  return { status: 'failed', error, source: 'executed', originalCallId: undefined, audited: true }
}

function gone(row: CallRow, why: string): Answer {
  return {
    status: 'failed',
    error: new ToolError('TOOL_CANCELLED', `${row.toolId} (${row.callId}): ${why}`),
    source: 'executed',
    originalCallId: undefined,
    audited: true,
  }
}
