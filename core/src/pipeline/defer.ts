import type { Answer } from '../call/outcome.ts'
import type { Call } from '../ledger/call.ts'
import { guardWindowMs, possibleDuplicate, toNewCall } from '../ledger/claim-call.ts'
import { answerFromRow } from '../ledger/idempotency.ts'
import { areSmallPartsWanted, nextPart } from '../ports/small-parts.ts'
import type { PipelineContext } from './context.ts'

/**
 * Queues a deferred tool for a worker. The row is durable before the caller learns the job's id.
 */
export function defer(
  call: Call,
  context: PipelineContext,
): Promise<Answer | undefined> | undefined {
  if (!call.tool.isDeferred || call.resumes !== undefined) return undefined
  return queueCall(call, context)
}

async function queueCall(call: Call, context: PipelineContext): Promise<Answer | undefined> {
  // Who asks for a job does not wait for its result anyway.
  if (areSmallPartsWanted()) await nextPart()
  const queued = await context.stores.calls.queue(toNewCall(call, context), guardWindowMs(call))
  if (queued.kind === 'duplicate') throw possibleDuplicate(call, queued.row)
  if (queued.kind === 'held') return answerFromRow(queued.row, call, context)
  return { status: 'accepted', jobId: queued.row.callId }
}
