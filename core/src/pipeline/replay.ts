import type { Call } from '../call/call.ts'
import type { Answer } from '../call/outcome.ts'
import { ToolError } from '../call/tool-error.ts'
import { answerFor, isAbandoned } from './answer-for.ts'
import type { Parts } from './parts.ts'

/** This key was answered before, or is being worked on. */
export function replay(call: Call, parts: Parts): Promise<Answer | undefined> | undefined {
  if (call.resumes !== undefined) return resumed(call, parts)
  // a fresh key is this call's own id: nobody can have used it
  if (!call.tool.contract.isWrite || call.keySource === 'fresh') return undefined
  return find(call, parts)
}

function find(call: Call, parts: Parts): Promise<Answer | undefined> | undefined {
  const { caller, tool, key } = call
  const found = parts.stores.calls.find({ tenant: caller.tenant, principal: caller.principal, toolId: tool.id, key })
  if (found instanceof Promise) return found.then((row) => (row === undefined ? undefined : answerFor(row, call, parts)))
  return found === undefined ? undefined : answerFor(found, call, parts)
}

// a wake-up may be delivered twice: a live lease or an end is left as it is
async function resumed(call: Call, parts: Parts): Promise<Answer | undefined> {
  const row = await parts.stores.calls.get(call.caller.tenant, call.id)
  if (row === undefined) throw new ToolError('TOOL_RESOURCE_NOT_FOUND', `The call ${call.id} is not in the ledger.`)
  if (row.state === 'queued' || isAbandoned(row, parts)) return undefined
  return answerFor(row, call, parts)
}
