import { approvalRule } from '../approvals/rule.ts'
import type { Call } from '../call/call.ts'
import type { Answer } from '../call/outcome.ts'
import { ToolError } from '../call/tool-error.ts'
import { conditionLimits } from '../permissions/access.ts'
import { isAbandoned } from '../ports/abandoned.ts'
import { answerFor } from './answer-for.ts'
import type { PipelineContext } from './parts.ts'

/** This key was answered before, or is being worked on. */
export function replay(call: Call, parts: PipelineContext): Promise<Answer | undefined> | undefined {
  if (call.resumes !== undefined) return resumed(call, parts)
  // a fresh key is this call's own id: nobody can have used it
  if (!call.tool.contract.isWrite || call.keySource === 'fresh' || goesStraightOn(call, parts))
    return undefined
  return find(call, parts)
}

// nothing stands between here and the claim, which finds the row as well: one look is enough
function goesStraightOn(call: Call, parts: PipelineContext): boolean {
  const { contract, isDeferred, check } = call.tool
  return (
    !isDeferred &&
    call.notify === undefined &&
    check === undefined &&
    contract.gates.length === 0 &&
    contract.limits.length === 0 &&
    contract.budgets.length === 0 &&
    call.namedId === call.tool.id &&
    conditionLimits(call, parts.scheme).length === 0 &&
    approvalRule(call, parts.scheme) === undefined
  )
}

function find(call: Call, parts: PipelineContext): Promise<Answer | undefined> | undefined {
  // what was done under the name of a tool that has been replaced since is done: its key is not free under the new one
  if (call.namedId !== call.tool.id) return findRedirected(call, parts)
  const found = look(call, call.tool.id, parts)
  if (found instanceof Promise)
    return found.then((row) => (row === undefined ? undefined : answerFor(row, call, parts)))
  return found === undefined ? undefined : answerFor(found, call, parts)
}

async function findRedirected(call: Call, parts: PipelineContext): Promise<Answer | undefined> {
  for (const toolId of [call.namedId, call.tool.id]) {
    const row = await look(call, toolId, parts)
    const answer = row === undefined ? undefined : await answerFor(row, call, parts)
    if (answer !== undefined) return answer
  }
  return undefined
}

function look(
  { caller, key }: Call,
  toolId: string,
  parts: PipelineContext,
): ReturnType<PipelineContext['stores']['calls']['find']> {
  return parts.stores.calls.find({
    tenant: caller.tenant,
    principal: caller.principal,
    toolId,
    key,
  })
}

// a wake-up may be delivered twice: a live lease or an end is left as it is
async function resumed(call: Call, parts: PipelineContext): Promise<Answer | undefined> {
  const row = await parts.stores.calls.get(call.caller.tenant, call.id)
  if (row === undefined)
    throw new ToolError('TOOL_RESOURCE_NOT_FOUND', `The call ${call.id} is not in the ledger.`)
  if (row.state === 'queued' || isAbandoned(row)) return undefined
  return answerFor(row, call, parts)
}
