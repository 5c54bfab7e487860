import type { Call } from '../call/call.ts'
import type { Answer } from '../call/outcome.ts'
import type { PipelineContext } from './parts.ts'
import { performKeyed } from './perform-keyed.ts'
import { performRead } from './perform-read.ts'
import { performRun } from './perform-run.ts'
import { performTransaction } from './perform-transaction.ts'

/** Does it now, and keeps the answer. Nothing else calls `execute`. */
export function perform(call: Call, parts: PipelineContext): Promise<Answer> {
  if (call.tool.work.kind === 'transaction') return performTransaction(call, call.tool.work, parts)
  if (call.tool.work.kind === 'run') return performRun(call, call.tool.work, parts)
  // a read that was deferred or needed a yes has a row, and its answer is fetched by call id
  if (call.tool.contract.isWrite || call.resumes !== undefined)
    return performKeyed(call, call.tool.work, parts)
  return performRead(call, call.tool.work, parts)
}
