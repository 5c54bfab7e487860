import type { Call } from '../call/call.ts'
import type { Answer } from '../call/outcome.ts'
import { answerFor } from './answer-for.ts'
import { guardMs, possibleDuplicate } from './duplicate.ts'
import { newCall } from './new-call.ts'
import type { PipelineContext } from './parts.ts'

/** A worker will do it: the row is durable before the caller hears of the job. */
export function defer(call: Call, parts: PipelineContext): Promise<Answer | undefined> | undefined {
  if (!call.tool.isDeferred || call.resumes !== undefined) return undefined
  return queue(call, parts)
}

async function queue(call: Call, parts: PipelineContext): Promise<Answer | undefined> {
  const queued = await parts.stores.calls.queue(newCall(call, parts), guardMs(call))
  if (queued.kind === 'duplicate') throw possibleDuplicate(call, queued.row)
  if (queued.kind === 'held') return answerFor(queued.row, call, parts)
  return { status: 'accepted', jobId: queued.row.callId }
}
