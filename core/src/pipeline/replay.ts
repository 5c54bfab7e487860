import type { Answer } from '../call/outcome.ts'
import { ToolError } from '../call/tool-error.ts'
import type { Call } from '../ledger/call.ts'
import { answerFromRow } from '../ledger/idempotency.ts'
import { needsAdmission } from './admit.ts'
import { findApprovalRule } from './approve.ts'
import type { PipelineContext } from './context.ts'

/** Answers from the ledger when a call with this idempotency key exists already. */
export function replay(
  call: Call,
  context: PipelineContext,
): Promise<Answer | undefined> | undefined {
  if (call.resumes !== undefined) return replayResumed(call, context)
  // A fresh key is this call's own id, so no other call can have used it.
  if (
    !call.tool.contract.isWrite ||
    call.keySource === 'fresh' ||
    goesStraightToClaim(call, context)
  )
    return undefined
  return replayKey(call, context)
}

// No stage before the claim has anything to do, and the claim finds the row as well: one look-up is
// enough.
function goesStraightToClaim(call: Call, context: PipelineContext): boolean {
  return (
    !call.tool.isDeferred &&
    call.requestedToolId === call.tool.id &&
    !needsAdmission(call, context) &&
    findApprovalRule(call, context.scheme) === undefined
  )
}

function replayKey(call: Call, context: PipelineContext): Promise<Answer | undefined> | undefined {
  // A key that was used under the name of a replaced tool is not free under the name of its
  // replacement.
  if (call.requestedToolId !== call.tool.id) return replayRedirected(call, context)
  const found = findRow(call, call.tool.id, context)
  if (found instanceof Promise)
    return found.then((row) => (row === undefined ? undefined : answerFromRow(row, call, context)))
  return found === undefined ? undefined : answerFromRow(found, call, context)
}

async function replayRedirected(call: Call, context: PipelineContext): Promise<Answer | undefined> {
  for (const toolId of [call.requestedToolId, call.tool.id]) {
    const row = await findRow(call, toolId, context)
    const answer = row === undefined ? undefined : await answerFromRow(row, call, context)
    if (answer !== undefined) return answer
  }
  return undefined
}

function findRow(
  { caller, key }: Call,
  toolId: string,
  context: PipelineContext,
): ReturnType<PipelineContext['stores']['calls']['find']> {
  return context.stores.calls.find({
    tenant: caller.tenant,
    principal: caller.principal,
    toolId,
    key,
  })
}

// A job may be delivered twice: a call with a live lease or an ending is left alone.
async function replayResumed(call: Call, context: PipelineContext): Promise<Answer | undefined> {
  const row = await context.stores.calls.get(call.caller.tenant, call.id)
  if (row === undefined)
    throw new ToolError('TOOL_RESOURCE_NOT_FOUND', `The call ${call.id} is not in the ledger.`)
  if (row.state === 'queued' || context.leases.isAbandoned(row)) return undefined
  return answerFromRow(row, call, context)
}
